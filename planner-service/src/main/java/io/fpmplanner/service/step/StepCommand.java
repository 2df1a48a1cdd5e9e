/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.step;

import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.PoolPlanning;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lets any simulator or control loop drive the planner: JSON lines on standard input, one answer a line. */
@Command(
        name = "step",
        description =
                "Plans in the loop of somebody else, on the caller's clock: reads JSON lines with time, frames and"
                        + " replica counts from standard input and answers each with the recommendations at that time.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "A line: {\"timeSeconds\": 10, \"frames\": [FRAME, ...], \"fleet\": {\"POOL\": {\"ready\": 2, \"pending\": 0}}}.",
            "Unless --config is given, the first line holds \"pools\", as in planner.yaml; sources are not needed."
        })
public final class StepCommand implements Callable<Integer> {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "YAML configuration file; only its pools and gpuBudgets matter, and pools need no sources.")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Sets one key of it, e.g. --set pools[0].slo.ttftSeconds=0.5; may be repeated.")
    private List<String> settings = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Optional<PoolPlanning> pools = Optional.empty();
        try {
            if (file != null || !settings.isEmpty()) {
                pools = Optional.of(ConfigLoader.pools(Optional.ofNullable(file), settings));
            }
        } catch (ConfigException e) {
            e.problems().forEach(problem -> err.println("config: " + problem));
            return CommandLine.ExitCode.USAGE;
        }
        StepSession session = new StepSession(pools);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.isBlank()) {
                out.println(session.answer(line));
                // The caller waits for this line before it goes on.
                out.flush();
            }
        }
        return CommandLine.ExitCode.OK;
    }
}
