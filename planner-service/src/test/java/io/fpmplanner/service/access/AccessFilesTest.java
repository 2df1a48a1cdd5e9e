/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.externalmetrics.TestPki;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessFilesTest {
    private final TestPki pki = new TestPki();

    @TempDir
    private Path directory;

    private static ServiceConfig config(String... settings) throws Exception {
        List<String> all = new ArrayList<>(List.of("pools[0].id=chat", "pools[0].sources=http"));
        all.addAll(List.of(settings));
        return ConfigLoader.load(Optional.empty(), Map.of(), all).config();
    }

    @Test
    void tellsEverythingThatIsWrongAtOnce() throws Exception {
        X509Bundle certificate = pki.server(Duration.ofDays(1));
        Path leaf = Files.writeString(directory.resolve("tls.crt"), certificate.getCertificatePathPEM());
        Path otherKey = Files.writeString(
                directory.resolve("tls.key"), pki.server(Duration.ofDays(1)).getPrivateKeyPEM());
        Path tokens = Files.writeString(directory.resolve("tokens"), "short\n");
        Path authority = Files.writeString(directory.resolve("ca.crt"), "nothing");
        assertThat(AccessFiles.problems(config(
                        "http.tls.certificateFile=" + leaf,
                        "http.tls.privateKeyFile=" + otherKey,
                        "http.tokens.readFile=" + directory.resolve("absent"),
                        "http.tokens.operateFile=" + tokens,
                        "http.clients.caFile=" + authority,
                        "http.clients.readNames=*",
                        "keda.tls.certificateFile=" + leaf,
                        "keda.tls.privateKeyFile=" + directory.resolve("nowhere"))))
                .satisfiesExactly(
                        problem -> assertThat(problem).contains("http.tokens.readFile", "no such file", "absent"),
                        problem -> assertThat(problem).contains("http.tokens.operateFile", "line 1"),
                        problem -> assertThat(problem).contains("http.clients.caFile", "ca.crt"),
                        problem -> assertThat(problem).contains("http.tls", "is not the key of the certificate"),
                        problem -> assertThat(problem).contains("keda.tls", "no such file", "nowhere"));
    }

    @Test
    void everyWrongKeyOfAccessIsToldAtOnce() {
        assertThatThrownBy(() -> config(
                        "http.tls.certificateFile=tls.crt",
                        "http.limits.requestsPerSecond=0",
                        "http.limits.connections=0",
                        "http.allowedAddresses=nowhere,10.0.0.0/40",
                        "keda.tls.privateKeyFile=tls.key",
                        "pools[0].gpu.perReplica=0"))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .satisfiesExactlyInAnyOrder(
                                        each -> assertThat(each).startsWith("http.tls.privateKeyFile is required"),
                                        each -> assertThat(each).startsWith("http.limits.requestsPerSecond must"),
                                        each -> assertThat(each).startsWith("http.limits.connections must"),
                                        each -> assertThat(each).startsWith("http.allowedAddresses[0]"),
                                        each -> assertThat(each).startsWith("http.allowedAddresses[1]"),
                                        each -> assertThat(each).startsWith("keda.tls.certificateFile is required"),
                                        each -> assertThat(each).startsWith("pools[0].gpu.perReplica must")));
    }

    @Test
    void isContentWithWhatCanBeUsed() throws Exception {
        TestPki.write(directory, pki.server(Duration.ofDays(1)));
        Path tokens = Files.writeString(directory.resolve("tokens"), "prometheus 0123456789abcdef\n");
        assertThat(AccessFiles.problems(config(
                        "http.tls.certificateFile=" + directory.resolve("tls.crt"),
                        "http.tls.privateKeyFile=" + directory.resolve("tls.key"),
                        "http.tokens.readFile=" + tokens)))
                .isEmpty();
    }
}
