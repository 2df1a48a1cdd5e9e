/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.LengthDistribution;
import io.fpmplanner.sim.workload.RecordedWorkload;
import io.fpmplanner.sim.workload.RecordedWorkload.Cut;
import io.fpmplanner.sim.workload.SteppedRate;
import io.fpmplanner.sim.workload.SteppedRate.Step;
import io.fpmplanner.sim.workload.SyntheticWorkload;
import io.fpmplanner.sim.workload.SyntheticWorkload.PrefixSharing;
import io.fpmplanner.sim.workload.TraceException;
import io.fpmplanner.sim.workload.TraceReader;
import io.fpmplanner.sim.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what arrives: a rate with lengths, or a recorded trace. */
final class WorkloadParser {
    private static final String RATES = "constant, steps, staircase, square, burst, rise-and-fall and trace";

    private final ScenarioLines lines;
    private final Optional<Path> traces;

    WorkloadParser(ScenarioLines lines, Optional<Path> traces) {
        this.lines = lines;
        this.traces = traces;
    }

    Workload parse(double seconds) throws ScenarioException {
        ScenarioLines.Line line = lines.require("arrivals");
        ValueWords words = line.words();
        if (words.word().equals("trace")) {
            return trace(line, words);
        }
        ArrivalRate rate = words.checked(() -> rate(line, words, seconds));
        words.requireAllUsed();
        return new SyntheticWorkload(rate, lengths("input_tokens"), lengths("output_tokens"), sharing());
    }

    private Workload trace(ScenarioLines.Line line, ValueWords words) throws ScenarioException {
        String file = words.text("file");
        Cut cut = words.checked(() -> new Cut(
                words.numberOr("from", 0),
                words.numberOr("speed", 1),
                words.numberOr("share", 1),
                words.has("longest") ? words.integer("longest") : Integer.MAX_VALUE));
        words.requireAllUsed();
        Path folder = traces.orElseThrow(() -> new MissingTraceException(
                line.file(), line.number(), "it replays " + file + ", and no folder with traces was given"));
        Path path = folder.resolve(file);
        if (!Files.isRegularFile(path)) {
            throw new MissingTraceException(line.file(), line.number(), "there is no trace " + path);
        }
        try {
            return new RecordedWorkload(TraceReader.read(path), cut);
        } catch (TraceException e) {
            throw line.fault(String.valueOf(e.getMessage()));
        }
    }

    private static ArrivalRate rate(ScenarioLines.Line line, ValueWords words, double seconds)
            throws ScenarioException {
        return switch (words.word()) {
            case "constant" -> ArrivalRate.constant(words.number("rate"));
            case "steps" -> steps(line, words.text("at"));
            case "staircase" ->
                SteppedRate.staircase(words.number("first"), words.number("rise"), words.number("every"), seconds);
            case "square" -> SteppedRate.square(words.number("low"), words.number("high"), words.number("period"));
            case "burst" -> burst(words);
            case "rise-and-fall" ->
                ArrivalRate.riseAndFall(words.number("low"), words.number("high"), words.number("period"));
            default -> throw line.fault("there are no arrivals '" + words.word() + "', but " + RATES);
        };
    }

    private static ArrivalRate burst(ValueWords words) throws ScenarioException {
        double base = words.number("base");
        return SteppedRate.once(List.of(
                new Step(0, base),
                new Step(words.number("from"), words.number("peak")),
                new Step(words.number("to"), base)));
    }

    /** As in {@code 0:3,80:30,95:3}: seconds and the rate from then on. */
    private static ArrivalRate steps(ScenarioLines.Line line, String text) throws ScenarioException {
        List<Step> steps = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String[] pair = part.split(":", -1);
            if (pair.length != 2) {
                throw line.fault("'" + part + "' should read seconds:rate");
            }
            steps.add(new Step(ScenarioLines.number(line, pair[0]), ScenarioLines.number(line, pair[1])));
        }
        return SteppedRate.once(steps);
    }

    private LengthDistribution lengths(String key) throws ScenarioException {
        ScenarioLines.Line line = lines.require(key);
        ValueWords words = line.words();
        LengthDistribution lengths = words.checked(() -> switch (words.word()) {
            case "fixed" -> LengthDistribution.fixed(words.integer("tokens"));
            case "lognormal" ->
                LengthDistribution.logNormal(
                        words.number("median"),
                        words.number("sigma"),
                        words.integer("lowest"),
                        words.integer("highest"));
            default -> throw line.fault("there are no lengths '" + words.word() + "', but fixed and lognormal");
        });
        words.requireAllUsed();
        return lengths;
    }

    private Optional<PrefixSharing> sharing() throws ScenarioException {
        Optional<ScenarioLines.Line> line = lines.find("shared_prefix");
        if (line.isEmpty()) {
            return Optional.empty();
        }
        ValueWords words = line.get().words();
        if (!words.word().equals("blocks")) {
            throw line.get().fault("a shared prefix reads: blocks families=20 length=8 tokens=512");
        }
        PrefixSharing sharing = words.checked(
                () -> new PrefixSharing(words.integer("families"), words.integer("length"), words.integer("tokens")));
        words.requireAllUsed();
        return Optional.of(sharing);
    }
}
