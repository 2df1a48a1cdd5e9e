/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import io.fpmplanner.sim.board.RunResult;
import io.fpmplanner.sim.board.RunStage;
import io.fpmplanner.sim.board.Timeline;
import io.fpmplanner.sim.policy.Contender;
import io.fpmplanner.sim.scenario.Scenario;
import io.fpmplanner.sim.scenario.ScenarioLibrary;
import io.fpmplanner.sim.scenario.ScenarioReader;
import io.fpmplanner.sim.scenario.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Prints what a policy decided in a scenario, and why. Run its main from the test classes; each argument is
 * {@code SCENARIO|FILE,agg|disagg,POLICY[,SEED]}, after {@code -q} only what came of it is printed.
 */
public final class DecisionTrace {
    private DecisionTrace() {}

    public static void main(String[] args) throws Exception {
        boolean quiet = args[0].equals("-q");
        for (int i = quiet ? 1 : 0; i < args.length; i++) {
            String[] parts = args[i].split(",", -1);
            RunResult result = play(parts);
            if (!quiet) {
                result.timeline().decisions().forEach(DecisionTrace::print);
            }
            System.out.printf(
                    Locale.ROOT,
                    "%-60s %6.2f %% good, %8.4f good/GPU-s, %.3f GPU-h, %d changes, %d reversals%n",
                    args[i],
                    100 * result.score().goodRate(),
                    result.score().goodputPerGpu(),
                    result.score().gpuHours(),
                    result.score().scaleEvents(),
                    result.score().reversals());
        }
    }

    private static RunResult play(String[] parts) throws Exception {
        boolean known = ScenarioLibrary.names().contains(parts[0]);
        String text = known ? ScenarioLibrary.text(parts[0]) : Files.readString(Path.of(parts[0]));
        Scenario scenario = new ScenarioReader(Optional.empty()).read(parts[0], text);
        Topology topology = parts[1].equals("agg") ? Topology.AGGREGATED : Topology.DISAGGREGATED;
        Contender contender = Contenders.find(parts[2]).orElseThrow();
        long seed = parts.length > 3 ? Long.parseLong(parts[3]) : 1;
        return new RunStage(scenario, topology, seed).play(contender.id(), contender.factory());
    }

    private static void print(Timeline.Change change) {
        System.out.printf(
                Locale.ROOT,
                "%4.0f s %-7s %2d -> %2d  %s%n",
                change.seconds(),
                change.poolId(),
                change.from(),
                change.to(),
                change.reason());
    }
}
