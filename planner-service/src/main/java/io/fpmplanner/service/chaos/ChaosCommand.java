/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.fpmplanner.service.StartException;
import io.fpmplanner.service.state.KillDrill;
import io.fpmplanner.service.state.RestoreDrill;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lets things go wrong and prints what the planner made of it. */
@Command(
        name = "chaos",
        description =
                "Fault drills: a simulated fleet over real sockets, faults between it and the planner, and what the"
                        + " planner makes of them. Needs no file and no GPU.",
        mixinStandardHelpOptions = true,
        footer = {"", "Exit status 1 means that something did not hold."})
public final class ChaosCommand implements Callable<Integer> {
    /** How long a fault lasts if nothing else is asked for. */
    static final double SECONDS = 8;

    private static final double WARM_UP_SECONDS = 90;
    private static final double FILL_SECONDS = 15;
    private static final double SETTLE_SECONDS = 60;

    @Option(
            names = {"-d", "--drill"},
            paramLabel = "NAME",
            split = ",",
            description = "Only these drills; all if not given.")
    private List<String> names = new ArrayList<>();

    @Option(names = "--list", description = "List the drills and stop.")
    private boolean list;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "" + SECONDS,
            description =
                    "How long each fault lasts (default ${DEFAULT-VALUE}); ten times the load lasts a minute unless"
                            + " this is less.")
    private double seconds;

    @Option(names = "--json", description = "Print one JSON document at the end, in place of the table.")
    private boolean json;

    @Option(
            names = "--kills",
            paramLabel = "N",
            description = "In place of drills: kill N writers of states, in processes of twenty, while they save.")
    private int kills;

    @Option(
            names = "--restore",
            paramLabel = "POOLS",
            description =
                    "In place of drills: save a state of so many pools and time how long a fresh process restores it.")
    private int restorePools;

    @Option(
            names = "--soak",
            paramLabel = "MINUTES",
            description = "In place of drills: run for so long with faults that come and go, and tell what the process"
                    + " holds.")
    private double soakMinutes;

    @Option(
            names = "--virtual-hours",
            paramLabel = "HOURS",
            description = "In place of drills: the same for the planner alone, on a clock that runs as fast as it can.")
    private double virtualHours;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of load and faults (default 1).")
    private long seed;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException, StartException {
        PrintWriter out = spec.commandLine().getOut();
        if (list) {
            Drill.all().forEach(drill -> out.printf("%-15s %s%n", drill.name(), drill.what()));
            return ExitCode.OK;
        }
        Path directory = Files.createTempDirectory("planner-chaos");
        try {
            if (virtualHours > 0) {
                return new VirtualSoak(seed).run(virtualHours, out) ? ExitCode.OK : ExitCode.SOFTWARE;
            }
            if (restorePools > 0) {
                return restore(directory, out);
            }
            if (soakMinutes > 0) {
                return soak(directory, out);
            }
            return kills > 0 ? kill(directory, out) : drill(directory, chosen(), out);
        } finally {
            delete(directory);
        }
    }

    private List<Drill> chosen() {
        List<String> known = Drill.all().stream().map(Drill::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new ParameterException(
                        spec.commandLine(), "there is no drill '" + name + "'; there are " + String.join(", ", known));
            }
        }
        if (!(seconds > 0 && seconds <= 3600)) {
            throw new ParameterException(
                    spec.commandLine(), "--seconds must lie above 0 and at most at 3600, was " + seconds);
        }
        return Drill.all().stream()
                .filter(drill -> names.isEmpty() || names.contains(drill.name()))
                .toList();
    }

    private int kill(Path directory, PrintWriter out) throws IOException, InterruptedException {
        KillDrill.Result result = new KillDrill(directory, seed).run(kills);
        out.printf(
                "%d kills, of writers in %d processes, %d snapshots saved: %d torn files passed over, %d snapshots"
                        + " lost, %d corrupt states%n",
                result.kills(), result.processes(), result.snapshots(), result.torn(), result.lost(), result.corrupt());
        return result.lost() + result.corrupt() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private int restore(Path directory, PrintWriter out) throws IOException, InterruptedException {
        RestoreDrill.Result result = RestoreDrill.run(directory, restorePools);
        out.printf(
                Locale.ROOT,
                "%d of %d pools restored from %.1f MB in %.2f s, %.2f s of a core%n",
                result.restored(),
                restorePools,
                result.bytes() / 1e6,
                result.seconds(),
                result.cpuSeconds());
        return result.restored() == restorePools ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private int soak(Path directory, PrintWriter out) throws IOException, InterruptedException, StartException {
        quiet();
        try (Arena arena = Arena.open(directory, seed)) {
            return new Soak(arena, new Watch(arena), out).run(soakMinutes) ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private int drill(Path directory, List<Drill> drills, PrintWriter out)
            throws IOException, InterruptedException, StartException {
        quiet();
        ChaosReport report = new ChaosReport(out, json);
        try (Arena arena = Arena.open(directory, seed)) {
            Watch watch = new Watch(arena);
            double warmUpSeconds = watch.untilWell(WARM_UP_SECONDS);
            // Requests have filled the fleet by then.
            watch.during(FILL_SECONDS);
            report.begin(warmUpSeconds);
            for (Drill drill : drills) {
                watch.untilWell(SETTLE_SECONDS);
                report.add(run(drill, arena, watch));
            }
        }
        return report.end() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private ChaosReport.Row run(Drill drill, Arena arena, Watch watch)
            throws IOException, InterruptedException, StartException {
        watch.clear();
        Drill.Outcome outcome = drill.script().run(arena, watch, seconds);
        List<String> seen = List.copyOf(watch.seen());
        long plans = watch.plans();
        double recovery = Math.max(outcome.recoverySeconds(), watch.untilWell(2 * drill.recoverySeconds()));
        boolean held = outcome.held() && watch.tooFew() == 0 && recovery <= drill.recoverySeconds();
        String lack = recovery > drill.recoverySeconds() ? watch.lack() : "";
        return new ChaosReport.Row(drill, seen, plans, watch.tooFew(), recovery, told(outcome, watch, lack), held);
    }

    private static String told(Drill.Outcome outcome, Watch watch, String lack) {
        return Stream.of(outcome.figure(), watch.firstTooFew(), lack.isEmpty() ? "" : "then " + lack)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" "));
    }

    /** What goes wrong is meant to. */
    private static void quiet() {
        boolean asked = System.getProperty("planner.log.level") != null;
        for (String name : List.of("ROOT", "io.fpmplanner", "audit")) {
            if (!asked && LoggerFactory.getLogger(name) instanceof Logger each) {
                each.setLevel(Level.ERROR);
            }
        }
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
