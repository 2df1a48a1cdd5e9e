/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures what the planner costs on this machine. */
@Command(
        name = "bench",
        description = "Measures what the planner costs on this machine, end to end, beside what it should reach.",
        mixinStandardHelpOptions = true,
        subcommands = {RowCommand.class, PublishCommand.class, AskCommand.class, HiccupCommand.class},
        footer = {
            "",
            "Publishers and askers are processes of their own on the same machine and are not counted; every row runs in a"
                    + " fresh JVM. Figures mean something on an otherwise idle machine only.",
            "Exit code 1 when a frame was lost or a row could not be measured, whatever the times."
        })
public final class BenchCommand implements Callable<Integer> {
    /** Log lines would stand between those of the rows. */
    private static final List<String> QUIET = List.of(
            "-Dslf4j.internal.verbosity=WARN", "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider");

    private static final double SMOKE_SCALE = 0.02;
    private static final String LOST = "lost";

    @Option(
            names = "--rows",
            split = ",",
            paramLabel = "ROW",
            description = "Rows to measure, of: ${COMPLETION-CANDIDATES}; all if left out.")
    private List<Row> rows = List.of(Row.values());

    @Option(
            names = "--warm-up",
            defaultValue = "20",
            paramLabel = "SECONDS",
            description = "Before the figures of a row are taken, default ${DEFAULT-VALUE}: what runs once a second is"
                    + " compiled late.")
    private double warmUpSeconds;

    @Option(
            names = "--seconds",
            defaultValue = "8",
            paramLabel = "SECONDS",
            description = "That the figures of a row are of; default ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(names = "--smoke", description = "Only see that everything runs: a fiftieth of the load, a second each.")
    private boolean smoke;

    @Option(names = "--json", description = "Print JSON instead of a table.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (warmUpSeconds <= 0 || seconds <= 0) {
            throw new ParameterException(spec.commandLine(), "--warm-up and --seconds must be above 0");
        }
        if (rows.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--rows names no row");
        }
        PrintWriter err = spec.commandLine().getErr();
        Effort effort = smoke ? new Effort(1, 1, SMOKE_SCALE) : new Effort(warmUpSeconds, seconds, 1);
        BenchReport report = new BenchReport(smoke);
        boolean fine = true;
        for (Row row : rows) {
            err.println("bench: " + row.label() + " ...");
            err.flush();
            try {
                JsonNode figures = measure(row, effort);
                report.add(row, figures);
                fine &= figures.path(LOST).asDouble() == 0;
            } catch (IOException e) {
                err.println("planner: " + row.label() + " could not be measured: " + e.getMessage());
                fine = false;
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? report.json() : report.table());
        out.flush();
        return fine ? 0 : 1;
    }

    private static JsonNode measure(Row row, Effort effort) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("bench", "row", row.name()));
        arguments.add("--warm-up=" + effort.warmUpSeconds());
        arguments.add("--seconds=" + effort.seconds());
        arguments.add("--scale=" + effort.scale());
        List<String> options = new ArrayList<>(Child.AS_SERVED);
        options.addAll(QUIET);
        try (Child child = Child.start(options, arguments)) {
            String line = child.line();
            while (!line.startsWith("{")) {
                line = child.line();
            }
            return new ObjectMapper().readTree(line);
        }
    }
}
