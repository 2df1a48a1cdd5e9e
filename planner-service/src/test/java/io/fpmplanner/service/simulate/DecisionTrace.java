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

/** Prints what a policy decided in a scenario, and why: {@code DecisionTrace SCENARIO|FILE TOPOLOGY POLICY [SEED [moments]]}. */
final class DecisionTrace {
    private DecisionTrace() {}

    @SuppressWarnings("SystemOut") // a program
    public static void main(String[] arguments) throws Exception {
        boolean known = ScenarioLibrary.names().contains(arguments[0]);
        String text = known ? ScenarioLibrary.text(arguments[0]) : Files.readString(Path.of(arguments[0]));
        Scenario scenario = new ScenarioReader(Optional.empty()).read(arguments[0], text);
        Topology topology = Topology.valueOf(arguments[1].toUpperCase(Locale.ROOT));
        Contender contender = Contenders.find(arguments[2]).orElseThrow();
        long seed = arguments.length > 3 ? Long.parseLong(arguments[3]) : 1;
        RunResult result = new RunStage(scenario, topology, seed).play(contender.id(), contender.factory());
        for (Timeline.Change change : result.timeline().decisions()) {
            System.out.printf(
                    Locale.ROOT,
                    "%4.0f s %-7s %2d -> %2d  %s%n",
                    change.seconds(),
                    change.poolId(),
                    change.from(),
                    change.to(),
                    change.reason());
        }
        if (arguments.length > 4) {
            result.timeline().moments().forEach(System.out::println);
        }
        System.out.printf(
                Locale.ROOT,
                "%.2f %% good, %.4f good/GPU-s, %.3f GPU-h%n",
                100 * result.score().goodRate(),
                result.score().goodputPerGpu(),
                result.score().gpuHours());
    }
}
