/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.nats;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fpmplanner.service.config.NatsSource;
import io.fpmplanner.service.config.SourceSpec;
import io.fpmplanner.service.externalmetrics.TestPki;
import io.fpmplanner.service.source.FrameRing;
import io.fpmplanner.service.source.PoolSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that asks for TLS after its greeting, as NATS servers do. */
class NatsTlsTest {
    private static final String SUBJECT = "namespace.n.component.backend.>";

    private final TestPki pki = new TestPki();

    @TempDir
    private Path directory;

    private NatsFrameSource source(int port, Path authorities) {
        NatsSource spec = (NatsSource) SourceSpec.parse("nats+tls://127.0.0.1:" + port + "/" + SUBJECT);
        return new NatsFrameSource(
                65_536,
                List.of(new PoolSource<>(0, spec)),
                System::nanoTime,
                Map.of("NATS_TLS_CA_FILE", authorities.toString()));
    }

    /** Greets, and reads what comes after the handshake; empty if there is none. */
    private String subscription(ServerSocket server) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(pki.server(Duration.ofDays(1)).toKeyManagerFactory().getKeyManagers(), null, new SecureRandom());
        try (Socket plain = server.accept()) {
            plain.getOutputStream()
                    .write(("INFO {\"server_id\":\"T\",\"version\":\"2.9.10\",\"go\":\"go1\",\"host\":\"127.0.0.1\","
                                    + "\"port\":" + server.getLocalPort()
                                    + ",\"max_payload\":1048576,\"proto\":1,\"tls_required\":true}\r\n")
                            .getBytes(US_ASCII));
            SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(plain, "client", 0, true);
            secure.setUseClientMode(false);
            BufferedReader lines = new BufferedReader(new InputStreamReader(secure.getInputStream(), US_ASCII));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("PING")) {
                    secure.getOutputStream().write("PONG\r\n".getBytes(US_ASCII));
                } else if (line.startsWith("SUB ")) {
                    return line;
                }
            }
        } catch (SSLException | SocketException refused) {
            return "";
        }
        return "";
    }

    @Test
    void subscribesToAServerWhoseCertificateIsSignedAsItShould() throws Exception {
        Path authorities = Files.writeString(directory.resolve("ca.crt"), pki.serving.getCertificatePEM());
        try (ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                NatsFrameSource source = source(server.getLocalPort(), authorities)) {
            source.start(new FrameRing(64), () -> {});
            assertThat(subscription(server)).startsWith("SUB " + SUBJECT);
        }
    }

    @Test
    void tellsNothingToAServerOfAnotherAuthority() throws Exception {
        Path authorities = Files.writeString(
                directory.resolve("ca.crt"), TestPki.authority("another").getCertificatePEM());
        try (ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                NatsFrameSource source = source(server.getLocalPort(), authorities)) {
            source.start(new FrameRing(64), () -> {});
            assertThat(subscription(server)).isEmpty();
        }
    }

    @Test
    void aFileThatCannotBeReadIsNamed() throws IOException {
        try (NatsFrameSource source = source(1, directory.resolve("absent"))) {
            assertThatThrownBy(() -> source.start(new FrameRing(64), () -> {}))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("absent");
        }
    }
}
