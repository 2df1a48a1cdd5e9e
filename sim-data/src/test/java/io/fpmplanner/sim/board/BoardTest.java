/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.sim.policy.Autoscaler;
import io.fpmplanner.sim.policy.Baselines;
import io.fpmplanner.sim.policy.Contender;
import io.fpmplanner.sim.policy.FleetObservation;
import io.fpmplanner.sim.policy.PoolDecision;
import io.fpmplanner.sim.policy.PublishedFrame;
import io.fpmplanner.sim.scenario.Scenario;
import io.fpmplanner.sim.scenario.ScenarioException;
import io.fpmplanner.sim.scenario.ScenarioReader;
import io.fpmplanner.sim.workload.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BoardTest {
    private static final String SHORT = """
            title = A minute of even traffic.
            topologies = agg, disagg
            engine = llama-8b-l40s
            arrival_seconds = 60
            drain_seconds = 20
            cold_start_seconds = 10
            arrivals = constant rate=3
            input_tokens = fixed tokens=1000
            output_tokens = fixed tokens=100
            """;

    private static Scenario scenario(String... more) {
        return read(SHORT + String.join("\n", more));
    }

    private static Scenario read(String text) {
        try {
            return new ScenarioReader(Optional.empty()).read("short", text);
        } catch (ScenarioException e) {
            throw new AssertionError(e);
        }
    }

    private static Contender contender(String id) {
        return Baselines.find(id).orElseThrow();
    }

    private static List<RunResult> play(Scenario scenario, int threads, Contender... contenders) {
        return new Board(List.of(scenario), List.of(contenders), List.of(1L, 2L)).play(threads, result -> {});
    }

    @Test
    void equalSeedsGiveEqualResultsOnAnyNumberOfThreads() {
        List<RunResult> one = play(scenario(), 1, contender("static-1"), contender("static-2"));
        List<RunResult> many = play(scenario(), 4, contender("static-1"), contender("static-2"));

        assertThat(one).hasSize(8).isEqualTo(many);
        assertThat(one.get(0).score()).isNotEqualTo(one.get(1).score());
    }

    @Test
    void countsEveryRequestOnceAndEveryGpuSecond() {
        for (RunResult result : play(scenario(), 2, contender("static-2"))) {
            RunScore score = result.score();
            int pools = result.runCase().topology().word().equals("agg") ? 1 : 2;

            assertThat(score.requests()).isBetween(130L, 230L);
            assertThat(score.refused() + score.unfinished()).isZero();
            assertThat(score.goodRate()).isEqualTo(1);
            assertThat(score.gpuSeconds()).isEqualTo(2.0 * pools * 80);
            assertThat(score.goodputPerGpu()).isCloseTo(score.requests() / score.gpuSeconds(), within(1e-12));
            assertThat(score.scaleEvents()).isZero();
        }
    }

    @Test
    void policiesAreMeasuredByWhatCanBeHadWithoutForesight() {
        List<Contender> contenders = List.of(contender("static-1"), contender("static-2"), contender("prompt"));
        Scenario busy = read(SHORT.replace("rate=3", "rate=20").replace("agg, disagg", "agg"));
        Standings standings = Standings.of(play(busy, 2, contenders.toArray(Contender[]::new)), contenders);
        Standings.Stage stage = standings.stages().get(0);
        List<List<String>> rows = BoundRows.savable(standings);

        assertThat(rows.get(0)).containsExactly("stage", "prompt good", "static-1", "static-2");
        double one = stage.rows().get(0).goodRate();
        double prompt = stage.rows().get(2).goodRate();
        assertThat(prompt).isGreaterThan(one);
        assertThat(Double.parseDouble(rows.get(1).get(2))).isCloseTo(one / prompt, within(1e-3));
        assertThat(BoundRows.shortfalls(standings, "static-1"))
                .singleElement()
                .asString()
                .startsWith("short (agg)");
        assertThat(BoundRows.gpuHours(standings)).as("without the oracle").isEmpty();
    }

    @Test
    void requestsThatNoEngineCanHoldCountAsBad() {
        Scenario huge = scenario("fault = telemetry-outage from=1 to=2");
        Scenario tooLong = new Scenario(
                huge.name(),
                huge.title(),
                huge.timing(),
                huge.objective(),
                huge.fleet(),
                (startNanos, seconds, seed) -> List.of(new Request(0, 1_000_000_000L, 10_000_000, 0, 10)),
                List.of());

        for (RunResult result : play(tooLong, 2, contender("static-1"))) {
            assertThat(result.score().refused()).isEqualTo(1);
            assertThat(result.score().goodRate()).isZero();
        }
    }

    @Test
    void aFleetWithoutReplicasEndsWithNothingAnswered() {
        Scenario none = scenario("replicas.initial = 0", "replicas.lowest = 0");
        Contender idle = Contender.of("idle", "does nothing", (task, rehearsal) -> observation -> List.of());

        for (RunResult result : play(none, 2, idle)) {
            assertThat(result.score().goodRate()).isZero();
            assertThat(result.score().unfinished())
                    .isEqualTo(result.score().requests())
                    .isPositive();
            assertThat(result.score().goodputPerGpu()).isZero();
        }
    }

    /** Orders two, then one, then two again, and keeps what it saw. */
    private static final class Wavering implements Autoscaler {
        private final List<FleetObservation> seen = new ArrayList<>();

        @Override
        public boolean readsFrames() {
            return true;
        }

        @Override
        public List<PoolDecision> decide(FleetObservation observation) {
            seen.add(observation);
            int desired = seen.size() % 20 < 10 ? 2 : 1;
            return List.of(new PoolDecision(observation.pools().get(0).id(), desired, "wavering"));
        }
    }

    @Test
    void countsChangesOfDirectionAndKeepsReasons() {
        for (RunResult result :
                play(scenario(), 2, Contender.of("wavering", "wavers", (task, rehearsal) -> new Wavering()))) {
            assertThat(result.score().scaleEvents()).isEqualTo(9);
            assertThat(result.score().reversals()).isEqualTo(8);
            assertThat(result.timeline().decisions())
                    .first()
                    .isEqualTo(new Timeline.Change(
                            1, result.timeline().decisions().get(0).poolId(), 1, 2, "wavering"));
        }
    }

    @Test
    void anOutageTakesFramesAndCountsButNotTheOrchestrator() {
        List<Wavering> policies = new ArrayList<>();
        Contender watching = Contender.of("watching", "watches", (task, rehearsal) -> {
            Wavering policy = new Wavering();
            policies.add(policy);
            return policy;
        });
        play(scenario("fault = telemetry-outage from=20 to=40"), 1, watching);

        for (FleetObservation observation : policies.get(0).seen) {
            double seconds = observation.nowNanos() * 1e-9;
            boolean out = seconds > 20 && seconds < 40;
            if (out) {
                assertThat(observation.frontEnd()).isEmpty();
                assertThat(observation.frames()).isEmpty();
                assertThat(observation.pools().get(0).load()).isEmpty();
            } else if (seconds < 20 || seconds > 41) {
                assertThat(observation.frontEnd()).isPresent();
                assertThat(observation.frames()).isNotEmpty();
            }
            assertThat(observation.pools().get(0).ordered()).isPositive();
        }
        assertThat(policies.get(0).seen).hasSize(80);
    }

    @Test
    void framesAreNumberedWithoutGapsAndHeartbeatsFillSilence() {
        List<Wavering> policies = new ArrayList<>();
        Contender watching = Contender.of("watching", "watches", (task, rehearsal) -> {
            Wavering policy = new Wavering();
            policies.add(policy);
            return policy;
        });
        play(scenario("replicas.highest = 1"), 1, watching);

        List<PublishedFrame> frames = policies.get(0).seen.stream()
                .flatMap(observation -> observation.frames().stream())
                .toList();
        for (int i = 0; i < frames.size(); i++) {
            assertThat(frames.get(i).sequence()).isEqualTo(i);
            assertThat(frames.get(i).metrics().counterId()).isEqualTo(i);
        }
        assertThat(frames.stream().filter(frame -> frame.metrics().wallTimeSeconds() == 0))
                .hasSizeGreaterThan(10);
    }
}
