/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.sim.board.RunResult;
import io.fpmplanner.sim.board.RunStage;
import io.fpmplanner.sim.board.Timeline;
import io.fpmplanner.sim.policy.Contender;
import io.fpmplanner.sim.scenario.Scenario;
import io.fpmplanner.sim.scenario.ScenarioException;
import io.fpmplanner.sim.scenario.ScenarioReader;
import io.fpmplanner.sim.scenario.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Traffic that never changes, of kinds that the board has not: nothing that was ordered may be taken back, or the reverse. */
class FlatTrafficTest {
    private static final int SECONDS = 600;

    /* Each had up to five reversals while arrivals of decode pools were told by what answers were taken to be long. */
    private static final String LONG_PROMPTS = """
            engine = llama-8b-rtxpro6000
            arrivals = constant rate=4
            input_tokens = lognormal median=4000 sigma=0.8 lowest=100 highest=20000
            output_tokens = lognormal median=200 sigma=0.6 lowest=10 highest=2000
            objective.ttft_seconds = 4
            """;

    private static final String UNEQUAL_LENGTHS = """
            engine = llama-8b-h100
            arrivals = constant rate=10
            input_tokens = lognormal median=1000 sigma=1.2 lowest=20 highest=20000
            output_tokens = lognormal median=400 sigma=1.0 lowest=5 highest=6000
            objective.ttft_seconds = 4
            replicas.initial = 2
            """;

    private static final String LONG_ANSWERS_WARM = """
            engine = llama-8b-rtxpro6000
            arrivals = constant rate=8
            input_tokens = lognormal median=600 sigma=0.6 lowest=20 highest=6000
            output_tokens = lognormal median=500 sigma=0.6 lowest=10 highest=3000
            replicas.initial = 3
            cold_start_seconds = 40
            """;

    @ParameterizedTest
    @ValueSource(strings = {LONG_PROMPTS, UNEQUAL_LENGTHS, LONG_ANSWERS_WARM})
    void nothingIsTakenBack(String kind) throws ScenarioException {
        Scenario scenario = new ScenarioReader(Optional.empty())
                .read(
                        "flat",
                        "title = Flat\ntopologies = disagg\nrouter = least-loaded\narrival_seconds = " + SECONDS + "\n"
                                + kind);
        Contender planner = Contenders.find("fpm-planner").orElseThrow();

        List<RunResult> results = LongStream.rangeClosed(1, 2)
                .mapToObj(seed ->
                        new RunStage(scenario, Topology.DISAGGREGATED, seed).play(planner.id(), planner.factory()))
                .toList();

        for (RunResult result : results) {
            List<Timeline.Change> decisions = result.timeline().decisions();
            assertThat(reversals(decisions)).as("of %s", decisions).isZero();
            assertThat(result.score().goodRate()).isGreaterThan(0.95);
        }
    }

    /** While requests come. */
    private static int reversals(List<Timeline.Change> decisions) {
        Map<String, Integer> directions = new HashMap<>();
        int reversals = 0;
        for (Timeline.Change change : decisions) {
            int direction = Integer.signum(change.to() - change.from());
            Integer before = directions.put(change.poolId(), direction);
            reversals += change.seconds() <= SECONDS && before != null && before != direction ? 1 : 0;
        }
        return reversals;
    }
}
