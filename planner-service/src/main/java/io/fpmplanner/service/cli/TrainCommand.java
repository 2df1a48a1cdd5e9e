/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.cli;

import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.StartException;
import io.fpmplanner.service.config.ConfigException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Starts the service, asks it a little and ends: for the JVM to see which classes an archive should hold. */
@Command(name = "train", hidden = true)
final class TrainCommand implements Callable<Integer> {
    private static final List<String> PATHS = List.of(
            "/readyz", "/metrics", "/v1/pools", "/v1/pools/train/recommendation", "/v1/pools/train/workers", "/");

    @Override
    public Integer call() throws ConfigException, StartException, IOException {
        ConfigOptions options =
                ConfigOptions.plain(List.of("--set", "http.port=0")).orElseThrow();
        Map<String, String> environment =
                Map.of("PLANNER_POOLS_0_ID", "train", "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1");
        try (PlannerService service =
                PlannerService.start(options.load(environment).config())) {
            for (String path : PATHS) {
                HttpURLConnection connection = (HttpURLConnection)
                        URI.create(service.url() + path).toURL().openConnection();
                connection.getResponseCode();
                connection.disconnect();
            }
        }
        return 0;
    }
}
