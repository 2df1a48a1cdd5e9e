/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import io.fpmplanner.sim.fleet.Router;
import io.fpmplanner.sim.law.Artefacts;
import io.fpmplanner.sim.law.Artefacts.WarmUp;
import io.fpmplanner.sim.policy.LatencyObjective;
import io.fpmplanner.sim.scenario.Scenario.ReplicaBounds;
import io.fpmplanner.sim.scenario.Scenario.ServedEngine;
import io.fpmplanner.sim.scenario.Scenario.ServingFleet;
import io.fpmplanner.sim.scenario.Scenario.Start;
import io.fpmplanner.sim.scenario.Scenario.Timing;
import io.fpmplanner.sim.workload.Workload;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Reads scenarios. A scenario is lines of {@code key = value}; {@code #} begins a comment. Values with parameters are a word
 * and {@code name=value} pairs, as in {@code arrivals = square low=1 high=10 period=40}. Whatever is not understood is an
 * error with its line. Threadsafe.
 */
public final class ScenarioReader {
    /** As much noise as a calm engine has. */
    private static final double CALM_SIGMA = 0.03;

    private final Optional<Path> traces;

    /** @param traces folder that recorded arrivals are looked for in; empty if there is none */
    public ScenarioReader(Optional<Path> traces) {
        this.traces = traces;
    }

    /**
     * Reads one scenario.
     *
     * @param name its name, label-safe; also names the file in messages
     * @throws MissingTraceException if it needs a recorded trace that is not there
     * @throws ScenarioException if it cannot be understood
     */
    public Scenario read(String name, String text) throws ScenarioException {
        ScenarioLines lines = ScenarioLines.parse(name + ".scenario", text);
        String title = lines.require("title").value();
        Timing timing = lines.checked(
                List.of("arrival_seconds", "drain_seconds"),
                () -> new Timing(lines.integer("arrival_seconds"), lines.integerOr("drain_seconds", 30)));
        LatencyObjective objective = lines.checked(
                List.of("objective.ttft_seconds", "objective.itl_seconds"),
                () -> new LatencyObjective(
                        lines.numberOr("objective.ttft_seconds", 2), lines.numberOr("objective.itl_seconds", 0.05)));
        ServingFleet fleet = fleet(lines);
        Workload workload = new WorkloadParser(lines, traces).parse(timing.arrivalSeconds());
        List<PlannedFault> faults = new FaultParser(lines, timing, fleet).parse();
        lines.requireAllUsed();
        return new Scenario(name, title, timing, objective, fleet, workload, faults);
    }

    private static ServingFleet fleet(ScenarioLines lines) throws ScenarioException {
        Set<Topology> topologies = EnumSet.noneOf(Topology.class);
        ScenarioLines.Line named = lines.require("topologies");
        for (String word : named.value().split("[ ,]+", -1)) {
            topologies.add(Topology.of(word)
                    .orElseThrow(() -> named.fault("topologies are agg and disagg, not '" + word + "'")));
        }
        ServedEngine engine = engine(lines);
        List<String> routers =
                Arrays.stream(Router.values()).map(ScenarioReader::word).toList();
        String chosen = routers.get(lines.choice("router", routers));
        Router router = Router.valueOf(chosen.toUpperCase(Locale.ROOT).replace('-', '_'));
        ReplicaBounds replicas = lines.checked(
                List.of("replicas.highest", "replicas.initial", "replicas.lowest"),
                () -> new ReplicaBounds(
                        lines.integerOr("replicas.initial", 1),
                        lines.integerOr("replicas.lowest", 1),
                        lines.integerOr("replicas.highest", 8)));
        Start start = lines.checked(
                List.of("cold_start_seconds", "cold_start_sigma", "never_ready_share"),
                () -> new Start(
                        lines.numberOr("cold_start_seconds", 30),
                        lines.numberOr("cold_start_sigma", 0),
                        lines.numberOr("never_ready_share", 0)));
        return lines.checked(
                List.of("topologies"), () -> new ServingFleet(topologies, engine, router, replicas, start));
    }

    private static ServedEngine engine(ScenarioLines lines) throws ScenarioException {
        ScenarioLines.Line line = lines.require("engine");
        EnginePreset preset = EnginePreset.of(line.value())
                .orElseThrow(
                        () -> line.fault("there is no engine '" + line.value() + "', but " + EnginePreset.words()));
        boolean caching = lines.choice("prefix_caching", List.of("off", "on")) == 1;
        return new ServedEngine(preset, caching, artefacts(lines));
    }

    /** The noise of a calm engine unless there is more; a line on stalls adds them to that. */
    private static Optional<Artefacts> artefacts(ScenarioLines lines) throws ScenarioException {
        Optional<Artefacts> base = lines.choice("artefacts", List.of("calm", "production")) == 1
                ? Optional.of(Artefacts.production())
                : Optional.empty();
        Optional<ScenarioLines.Line> stalls = lines.find("warm_up");
        if (stalls.isEmpty()) {
            return base;
        }
        ValueWords words = stalls.get().words();
        if (!words.word().equals("stalls")) {
            throw stalls.get().fault("a warm-up reads: stalls steps=30 share=0.5 shortest=1 longest=6");
        }
        WarmUp warmUp = words.checked(() -> new WarmUp(
                words.integer("steps"), words.number("share"), words.number("shortest"), words.number("longest")));
        words.requireAllUsed();
        return Optional.of(base.orElse(Artefacts.NONE.withNoise(CALM_SIGMA)).withWarmUp(warmUp));
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
