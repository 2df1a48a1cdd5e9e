/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import io.fpmplanner.sim.fleet.Fault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads what goes wrong in a scenario. A fault that could never happen is an error: it would test nothing. */
final class FaultParser {
    private final ScenarioLines lines;
    private final Scenario.Timing timing;
    private final Scenario.ServingFleet fleet;

    FaultParser(ScenarioLines lines, Scenario.Timing timing, Scenario.ServingFleet fleet) {
        this.lines = lines;
        this.timing = timing;
        this.fleet = fleet;
    }

    List<PlannedFault> parse() throws ScenarioException {
        List<PlannedFault> faults = new ArrayList<>();
        for (ScenarioLines.Line line : lines.all("fault")) {
            ValueWords words = line.words();
            Fault.Kind kind = kind(line, words.word());
            PlannedFault fault = words.checked(() -> fault(kind, words));
            words.requireAllUsed();
            requirePossible(line, fault);
            faults.add(fault);
        }
        return faults;
    }

    private static Fault.Kind kind(ScenarioLines.Line line, String word) throws ScenarioException {
        return Arrays.stream(Fault.Kind.values())
                .filter(any -> ScenarioReader.word(any).equals(word))
                .findFirst()
                .orElseThrow(() -> line.fault("there is no fault '" + word + "', but "
                        + Arrays.stream(Fault.Kind.values())
                                .map(ScenarioReader::word)
                                .collect(Collectors.joining(", "))));
    }

    private static PlannedFault fault(Fault.Kind kind, ValueWords words) throws ScenarioException {
        Optional<String> pool = words.has("pool") ? Optional.of(words.text("pool")) : Optional.empty();
        double from = words.number("from");
        return switch (kind) {
            case CRASH ->
                new PlannedFault(kind, pool, from, Double.POSITIVE_INFINITY, words.integerOr("replica", 0), 0);
            case STUCK -> new PlannedFault(kind, pool, from, words.number("to"), words.integerOr("replica", 0), 0);
            case SLOW ->
                new PlannedFault(
                        kind, pool, from, words.number("to"), words.integerOr("replica", 0), words.number("factor"));
            case TELEMETRY_OUTAGE -> new PlannedFault(kind, pool, from, words.number("to"), 0, 0);
            case CAPACITY_LIMIT -> new PlannedFault(kind, pool, from, words.number("to"), 0, words.integer("replicas"));
        };
    }

    private void requirePossible(ScenarioLines.Line line, PlannedFault fault) throws ScenarioException {
        if (fault.fromSeconds() >= timing.seconds()) {
            throw line.fault("the fault begins at " + fault.fromSeconds() + " s, when the run of " + timing.seconds()
                    + " s is over");
        }
        if (fault.replica() >= fleet.replicas().highest()) {
            throw line.fault("there is never a replica " + fault.replica() + ": the oldest is 0, and there are at most "
                    + fleet.replicas().highest());
        }
        Set<String> pools = new LinkedHashSet<>();
        fleet.topologies().stream().sorted().forEach(topology -> pools.addAll(topology.poolIds()));
        if (fault.poolId().isPresent() && !pools.contains(fault.poolId().get())) {
            throw line.fault("there is no pool '" + fault.poolId().get() + "', but " + String.join(", ", pools));
        }
    }
}
