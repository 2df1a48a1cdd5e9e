/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.cli;

import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.StartException;
import io.fpmplanner.service.config.ConfigException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Starts the service, asks it a little and ends: for the JVM to see which classes an archive should hold. */
@Command(name = "train", hidden = true)
final class TrainCommand implements Callable<Integer> {
    private static final String CONFIGURATION = """
            pools:
              - id: train
                sources: [tcp://127.0.0.1:1]
            """;

    private static final List<String> PATHS = List.of(
            "/readyz", "/metrics", "/v1/pools", "/v1/pools/train/recommendation", "/v1/pools/train/workers", "/");

    /** The first answers and the first plans. */
    private static final int ROUNDS = 4;

    private static final long BETWEEN_ROUNDS_MILLIS = 500;

    @Override
    public Integer call() throws ConfigException, StartException, IOException, InterruptedException {
        Preloading.start();
        Path file = Files.createTempFile("planner-train", ".yaml");
        try {
            Files.writeString(file, CONFIGURATION);
            ConfigOptions options = ConfigOptions.plain(List.of("--config", file.toString(), "--port", "0"))
                    .orElseThrow();
            try (PlannerService service =
                    PlannerService.start(options.load(Map.of()).config())) {
                for (int round = 0; round < ROUNDS; round++) {
                    ask(service.url());
                    Thread.sleep(BETWEEN_ROUNDS_MILLIS);
                }
            }
        } finally {
            Files.delete(file);
        }
        return 0;
    }

    private static void ask(String url) throws IOException {
        for (String path : PATHS) {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url + path).toURL().openConnection();
            connection.getResponseCode();
            connection.disconnect();
        }
    }
}
