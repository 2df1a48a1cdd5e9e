/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.StartException;
import io.fpmplanner.service.config.ServiceConfig;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;

/**
 * A planner that serves TLS gets another certificate, then one that has expired, then one without its key, then a good one
 * again, while a client connects anew all the time.
 */
final class CertificateDrill {
    private static final double ROTATION_SECONDS = 3;
    private static final double BAD_SECONDS = 2.5;
    private static final long PAUSE_MILLIS = 20;
    /** Until the client of the drill itself is warm. */
    private static final int FIRST_CONNECTIONS = 5;

    private final Path directory;
    private final Watch watch;
    private final URI url;
    private int asked;
    private int failed;

    private CertificateDrill(Path directory, Watch watch, URI url) {
        this.directory = directory;
        this.watch = watch;
        this.url = url;
    }

    static Drill.Outcome run(Watch watch) throws IOException, InterruptedException, StartException {
        Path directory = Files.createTempDirectory("planner-chaos-tls");
        try {
            OwnCertificate first = OwnCertificate.make(directory, "first", true);
            OwnCertificate second = OwnCertificate.make(directory, "second", true);
            OwnCertificate expired = OwnCertificate.make(directory, "expired", false);
            OwnCertificate last = OwnCertificate.make(directory, "last", true);
            put(directory, first, first);
            try (PlannerService service = PlannerService.start(config(directory))) {
                CertificateDrill drill = new CertificateDrill(directory, watch, URI.create(service.url()));
                for (int i = 0; i < FIRST_CONNECTIONS; i++) {
                    drill.ask();
                }
                double rotated = drill.rotate(second);
                boolean kept = drill.keeps(second, expired, expired) && drill.keeps(second, last, expired);
                double again = drill.rotate(last);
                return new Drill.Outcome(
                        kept && drill.failed == 0,
                        String.format(
                                Locale.ROOT,
                                "%d handshakes, %d failed; replaced after %.1f s; expired or torn ones %s",
                                drill.asked,
                                drill.failed,
                                rotated,
                                kept ? "not taken" : "TAKEN"),
                        Math.max(rotated, again));
            }
        } finally {
            ChaosCommand.delete(directory);
        }
    }

    private static ServiceConfig config(Path directory) {
        return DrillConfig.of(List.of(
                "pools[0].id=tls",
                "pools[0].sources=http",
                "http.port=0",
                "http.tls.certificateFile=" + directory.resolve("tls.crt"),
                "http.tls.privateKeyFile=" + directory.resolve("tls.key"),
                "http.tls.reloadSeconds=1"));
    }

    /** Each file appears whole, but not both at once. */
    private static void put(Path directory, OwnCertificate certificate, OwnCertificate key) throws IOException {
        replace(directory.resolve("tls.crt"), certificate.certificatePem());
        replace(directory.resolve("tls.key"), key.keyPem());
    }

    private static void replace(Path file, String text) throws IOException {
        Path fresh =
                Files.write(file.resolveSibling(file.getFileName() + ".new"), text.getBytes(StandardCharsets.US_ASCII));
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Seconds until it is served. */
    private double rotate(OwnCertificate to) throws IOException, InterruptedException {
        put(directory, to, to);
        long start = System.nanoTime();
        while (!to.serial().equals(ask()) && seconds(start) < 2 * ROTATION_SECONDS) {
            watch.during(PAUSE_MILLIS / 1e3);
        }
        return seconds(start);
    }

    private boolean keeps(OwnCertificate inForce, OwnCertificate bad, OwnCertificate key)
            throws IOException, InterruptedException {
        put(directory, bad, key);
        boolean kept = true;
        long start = System.nanoTime();
        while (seconds(start) < BAD_SECONDS) {
            kept &= inForce.serial().equals(ask());
            watch.during(PAUSE_MILLIS / 1e3);
        }
        return kept;
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    /** Connects anew and asks; the serial number of the certificate that was served, 0 if it failed. */
    private BigInteger ask() {
        asked++;
        try {
            return OwnCertificate.served(url.getHost(), url.getPort());
        } catch (IOException e) {
            failed++;
            return BigInteger.ZERO;
        }
    }
}
