/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import io.fpmplanner.sim.board.Board;
import io.fpmplanner.sim.board.BoardText;
import io.fpmplanner.sim.board.RunResult;
import io.fpmplanner.sim.board.Standings;
import io.fpmplanner.sim.compare.LogComparison;
import io.fpmplanner.sim.compare.LogComparisons;
import io.fpmplanner.sim.policy.Contender;
import io.fpmplanner.sim.scenario.MissingTraceException;
import io.fpmplanner.sim.scenario.Scenario;
import io.fpmplanner.sim.scenario.ScenarioException;
import io.fpmplanner.sim.scenario.ScenarioLibrary;
import io.fpmplanner.sim.scenario.ScenarioReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Plays scenarios with autoscalers and compares them. */
@Command(
        name = "simulate",
        description =
                "Plays scenarios of traffic with several autoscalers in virtual time and compares what came of it.",
        mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {
    private static final int MOST_SEEDS = 100;
    private static final Pattern PAGE = Pattern.compile("(?i).*\\.html?");

    @Option(
            names = {"-s", "--scenario"},
            split = ",",
            paramLabel = "NAME|FILE",
            description = "Scenarios to play: names of those that come with the planner, or files; all by default.")
    private List<String> scenarios = List.of();

    @Option(
            names = {"-p", "--policy"},
            split = ",",
            paramLabel = "NAME",
            description = "Policies to compare, static-N for any N among them; all by default.")
    private List<String> policies = List.of();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Play each with the seeds 1 to N (default: ${DEFAULT-VALUE}).")
    private int seeds = 1;

    @Option(names = "--threads", paramLabel = "N", description = "Runs at a time; the number of processors by default.")
    private @Nullable Integer threads;

    @Option(
            names = "--traces",
            paramLabel = "FOLDER",
            description = "Where azure2023/ and mooncake/ with recorded requests lie; without it scenarios that replay"
                    + " them are left out.")
    private @Nullable Path traces;

    @Option(
            names = "--compare-logs",
            paramLabel = "FOLDER",
            description =
                    "Replay logs of real runs below this folder (requests.jsonl and meta.json, as LLMServingSim's bench"
                            + " writes them) on simulated engines, print how far the latencies are apart, and play nothing.")
    private @Nullable Path logs;

    @Option(
            names = "--json",
            description = "Print a JSON array with one object for each scenario, topology, policy and seed.")
    private boolean json;

    @Option(
            names = "--html",
            paramLabel = "REPORT.html",
            description =
                    "Also write a report with the timeline of each run, as one page that needs no other file or host.")
    private @Nullable Path html;

    @Option(names = "--list", description = "Print what scenarios and policies there are, and play nothing.")
    private boolean list;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (logs != null) {
            return compareLogs(logs);
        }
        PrintWriter out = spec.commandLine().getOut();
        List<Contender> contenders = contenders();
        checkTarget();
        if (traces != null && !Files.isDirectory(traces)) {
            throw new ParameterException(spec.commandLine(), "--traces: there is no folder " + traces);
        }
        requireWithin("--seeds", seeds, MOST_SEEDS);
        int parallel = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        requireWithin("--threads", parallel, 256);
        List<Scenario> stages = new ArrayList<>();
        try {
            readScenarios(stages);
        } catch (ScenarioException e) {
            spec.commandLine().getErr().println("simulate: " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        if (list) {
            stages.forEach(scenario -> out.printf("%-20s %s%n", scenario.name(), scenario.title()));
            contenders.forEach(contender -> out.printf("%-20s %s%n", contender.id(), contender.title()));
            return CommandLine.ExitCode.OK;
        }
        Board board = new Board(
                stages, contenders, LongStream.rangeClosed(1, seeds).boxed().toList());
        List<RunResult> results;
        try {
            results = play(board, parallel);
        } catch (IllegalArgumentException e) {
            spec.commandLine().getErr().println("simulate: " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        Standings standings = Standings.of(results, contenders);
        out.print(json ? BoardJson.of(results) : BoardText.of(standings));
        out.flush();
        if (html != null) {
            writePage(html, BoardReport.of(standings, results, contenders));
        }
        return CommandLine.ExitCode.OK;
    }

    /** Before the work, and so that no other file is overwritten by mistake. */
    private void checkTarget() {
        if (html == null) {
            return;
        }
        Path folder = html.toAbsolutePath().getParent();
        if (!PAGE.matcher(html.toString()).matches()) {
            throw new ParameterException(
                    spec.commandLine(), "--html needs the name of a page to write, such as report.html, was " + html);
        }
        if (Files.isDirectory(html) || folder == null || !Files.isDirectory(folder)) {
            throw new ParameterException(spec.commandLine(), "--html: no page can be written at " + html);
        }
    }

    private void writePage(Path target, String page) throws IOException {
        try {
            Files.writeString(target, page);
        } catch (IOException e) {
            throw new IOException("no page could be written: " + e, e);
        }
        spec.commandLine().getErr().println("report written to " + target);
    }

    private List<RunResult> play(Board board, int parallel) {
        PrintWriter err = spec.commandLine().getErr();
        AtomicInteger done = new AtomicInteger();
        return board.play(parallel, result -> {
            String line = BoardText.progress(done.incrementAndGet(), board.runs(), result);
            synchronized (err) {
                err.println(line);
                err.flush();
            }
        });
    }

    private List<Contender> contenders() {
        if (policies.isEmpty()) {
            return Contenders.all();
        }
        return policies.stream()
                .distinct()
                .map(id -> Contenders.find(id)
                        .orElseThrow(() -> new ParameterException(
                                spec.commandLine(),
                                "--policy: there is no policy '" + id + "', but static-N and "
                                        + Contenders.all().stream()
                                                .map(Contender::id)
                                                .collect(Collectors.joining(", ")))))
                .toList();
    }

    private void readScenarios(List<Scenario> into) throws ScenarioException {
        ScenarioReader reader = new ScenarioReader(Optional.ofNullable(traces));
        if (scenarios.isEmpty()) {
            for (String name : ScenarioLibrary.names()) {
                try {
                    into.add(reader.read(name, ScenarioLibrary.text(name)));
                } catch (MissingTraceException e) {
                    spec.commandLine().getErr().println("simulate: " + name + " is left out: " + e.getMessage());
                }
            }
            return;
        }
        for (String named : scenarios.stream().distinct().toList()) {
            into.add(
                    ScenarioLibrary.names().contains(named)
                            ? reader.read(named, ScenarioLibrary.text(named))
                            : readFile(reader, named));
        }
    }

    private static Scenario readFile(ScenarioReader reader, String named) throws ScenarioException {
        Path file = Path.of(named);
        if (!Files.isRegularFile(file)) {
            throw new ScenarioException(
                    named, "no such file, and no scenario of that name among " + ScenarioLibrary.names());
        }
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
        try {
            return reader.read(name, Files.readString(file));
        } catch (IOException e) {
            throw new ScenarioException(named, "cannot be read as UTF-8 text: " + e);
        }
    }

    private void requireWithin(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " must be a number from 1 to " + most + ", was " + value);
        }
    }

    private int compareLogs(Path folder) {
        try {
            List<LogComparison> comparisons = LogComparisons.below(folder);
            PrintWriter out = spec.commandLine().getOut();
            out.print(LogComparisons.table(comparisons));
            out.flush();
            return CommandLine.ExitCode.OK;
        } catch (IOException e) {
            String reason = e instanceof NoSuchFileException ? "there is no " + folder : e.getMessage();
            spec.commandLine().getErr().println("simulate: --compare-logs: " + reason);
            return CommandLine.ExitCode.USAGE;
        }
    }
}
