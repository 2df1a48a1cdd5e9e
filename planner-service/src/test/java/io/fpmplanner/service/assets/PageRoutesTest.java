/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.assets;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.config.ConfigLoader;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PageRoutesTest {
    private static PlannerService service;
    private static RestClient rest;
    private static String base;

    @BeforeAll
    static void start() throws Exception {
        service = PlannerService.start(ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1"),
                        List.of("http.port=0"))
                .config());
        rest = new RestClient(service.url());
        base = "/assets/" + PageFiles.shared().fingerprint() + "/";
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void thePageIsAskedForEachTimeAndAllowsNothingFromElsewhere() throws Exception {
        HttpResponse<String> page = rest.get("/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");
        assertThat(header(page, "Content-Security-Policy"))
                .startsWith("default-src 'self';")
                .doesNotContain("unsafe");
        assertThat(page.body()).contains(base.substring(1) + "app/main.js");
        HttpResponse<String> again = rest.send(rest.request("/").header("If-None-Match", header(page, "ETag")));
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    void assetsMayBeKeptForGood() throws Exception {
        for (String name : PageFiles.shared().all().keySet()) {
            HttpResponse<String> asset = rest.get(base + name);
            assertThat(asset.statusCode()).as(name).isEqualTo(200);
            assertThat(header(asset, "Cache-Control")).contains("immutable");
            assertThat(header(asset, "Content-Type")).doesNotContain("octet");
            assertThat(asset.body()).isNotEmpty();
        }
    }

    @Test
    void theyAreCompressedForWhoCanReadThat() throws Exception {
        HttpResponse<byte[]> zipped = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(service.url() + base + "lib/uplot.js"))
                                .header("Accept-Encoding", "br, gzip")
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());

        assertThat(zipped.headers().firstValue("Content-Encoding")).hasValue("gzip");
        byte[] plain = new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes();
        assertThat(new String(plain, StandardCharsets.UTF_8))
                .isEqualTo(rest.get(base + "lib/uplot.js").body())
                .endsWith("export default uPlot;\n");
    }

    @Test
    void anotherVersionsAssetsAreNotThere() throws Exception {
        for (String path :
                List.of("/assets/0123456789abcdef/app/main.js", "/assets/", base, base + "../PageFiles.class")) {
            assertThat(rest.get(path).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(rest.post("/", "{}").statusCode()).isEqualTo(405);
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }
}
