/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.ScalingObjective;
import io.fpmplanner.core.pool.ScalingPace;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.sim.board.Board;
import io.fpmplanner.sim.board.Standings;
import io.fpmplanner.sim.policy.Contender;
import io.fpmplanner.sim.scenario.Scenario;
import io.fpmplanner.sim.scenario.ScenarioLibrary;
import io.fpmplanner.sim.scenario.ScenarioReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What each part of the policy buys: the planner with one part at a time taken away by its settings. Run its main from the
 * test classes; arguments are scenarios, all that need no recording by default.
 */
public final class PolicyAblation {
    private static final List<String> DEFAULT = List.of(
            "staircase",
            "square-wave",
            "flash-crowd",
            "diurnal",
            "decode-heavy",
            "crash",
            "traffic-stops",
            "slow-worker");

    private PolicyAblation() {}

    public static void main(String[] args) throws Exception {
        ScenarioReader reader = new ScenarioReader(Optional.empty());
        List<Scenario> scenarios = new ArrayList<>();
        for (String name : args.length > 0 ? List.of(args) : DEFAULT) {
            scenarios.add(reader.read(name, ScenarioLibrary.text(name)));
        }
        List<Contender> contenders = List.of(
                without("nothing", settings -> settings),
                without("the order of several replicas at once", scaling(PolicyAblation::oneAtATime)),
                without(
                        "the cold start in the plan",
                        scaling(old -> times(old, 5, old.scaleDownStabilisationSeconds()))),
                without("the hold before shrinking", scaling(old -> times(old, old.coldStartSeconds(), 0))),
                without("the SLO as objective", scaling(old -> old.withObjective(ScalingObjective.GOODPUT_PER_GPU))),
                without("planning both pools of a pair together", PolicyAblation::apart));
        Standings standings =
                Standings.of(new Board(scenarios, contenders, List.of(1L)).play(2, result -> {}), contenders);
        System.out.println("without | topology | good | good/GPU-s | mean GPUs | reversals");
        for (Standings.Total total : standings.totals()) {
            for (Standings.Line line : total.lines()) {
                System.out.printf(
                        Locale.ROOT,
                        "%s | %s | %.1f %% | %.3f | %.2f | %.1f%n",
                        line.policyId(),
                        total.topology(),
                        100 * line.goodRate(),
                        line.goodputPerGpu(),
                        line.gpus(),
                        line.reversals());
            }
        }
    }

    private static Contender without(String part, UnaryOperator<PoolSettings> change) {
        return Contender.of(
                part,
                "the planner without " + part,
                (task, rehearsal) -> new PlannerAutoscaler(
                        PoolSettingsOfTask.of(task).stream().map(change).toList(), FrameSampling.WHOLE_STREAM));
    }

    private static UnaryOperator<PoolSettings> scaling(UnaryOperator<ScalingSettings> change) {
        return old -> new PoolSettings(
                old.id(),
                old.model(),
                old.role(),
                old.slo(),
                old.limits(),
                change.apply(old.scaling()),
                old.liveness());
    }

    private static ScalingSettings oneAtATime(ScalingSettings old) {
        ScalingPace pace = old.pace();
        return old.withPace(new ScalingPace(
                1,
                pace.mostDown(),
                old.coldStartSeconds(),
                pace.downCooldownSeconds(),
                pace.drainSeconds(),
                pace.hpaTolerance(),
                pace.hpaSteps()));
    }

    private static ScalingSettings times(ScalingSettings old, double coldStartSeconds, double holdSeconds) {
        return new ScalingSettings(
                old.minReplicas(), old.maxReplicas(), old.targetUtilisation(), holdSeconds, coldStartSeconds);
    }

    /** Pools of different models are not taken for a pair. */
    private static PoolSettings apart(PoolSettings old) {
        return new PoolSettings(old.id(), old.id(), old.role(), old.slo(), old.limits(), old.scaling(), old.liveness());
    }
}
