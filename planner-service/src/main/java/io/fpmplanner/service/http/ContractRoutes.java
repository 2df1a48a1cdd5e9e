/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The OpenAPI document, as it is, as JSON and as a page. Read from the jar when first asked for. */
final class ContractRoutes {
    private static final String PACKAGE = "/io/fpmplanner/service/http/";

    private @Nullable String json;

    void install(Routes routes) {
        routes.get(
                "/openapi.yaml",
                context ->
                        Routes.send(context.response(), "application/yaml; charset=utf-8", resource("openapi.yaml")));
        routes.get("/openapi.json", context -> Routes.send(context.response(), "application/json", json()));
        routes.get("/docs", context -> {
            context.response()
                    .putHeader(
                            "Content-Security-Policy",
                            "default-src 'self' 'unsafe-inline'; img-src data:; frame-ancestors 'none'");
            Routes.send(context.response(), "text/html; charset=utf-8", resource("docs.html"));
        });
    }

    private String json() {
        if (json == null) {
            try {
                json = new YAMLMapper().readTree(resource("openapi.yaml")).toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return json;
    }

    static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(RestVerticle.class.getResourceAsStream(PACKAGE + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
