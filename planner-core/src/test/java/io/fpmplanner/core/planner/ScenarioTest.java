/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingMode;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.scaling.LimitingFactor;
import io.fpmplanner.core.scaling.ReasonCode;
import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.core.scaling.ScalingStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A planner beside a fleet of toy engines in virtual time. Tolerances of predictions are the 25 % that users are
 * promised; typical errors are a third of that.
 */
class ScenarioTest {
    private static final SloTarget SLO = new SloTarget(1.0, 0.04, 0.95);
    private static final double STABILISATION_SECONDS = 60;
    private static final double PROMISED = 0.25;

    private static PoolSettings settings(Role role, SchedulingRule rule, SloTarget slo, int maxReplicas) {
        return new PoolSettings(
                "toy",
                "toy",
                role,
                slo,
                new EngineLimits(2048, 128, OptionalLong.empty(), rule),
                new ScalingSettings(1, maxReplicas, 0.8, STABILISATION_SECONDS, 20),
                LivenessSettings.defaults());
    }

    private static ToyFleet aggregated(int replicas, long seed) {
        return new ToyFleet(settings(Role.AGGREGATED, SchedulingRule.DECODE_FIRST, SLO, 10), replicas, seed);
    }

    private static Recommendation recommendation(ToyFleet fleet) {
        return fleet.plan().recommendation();
    }

    private static int desired(ToyFleet fleet) {
        return recommendation(fleet).desired().orElse(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "AGGREGATED, DECODE_FIRST, 12, 70",
        "AGGREGATED, PREFILL_FIRST, 12, 60",
        "PREFILL, DECODE_FIRST, 20, 140",
        "DECODE, DECODE_FIRST, 20, 140"
    })
    void followsTheLoadUpAndDownAgain(Role role, SchedulingRule rule, double low, double high) {
        ToyFleet fleet = new ToyFleet(settings(role, rule, SLO, 10), 1, 7);
        fleet.requestsPerSecond =
                time -> time < 100 ? low : time < 200 ? low + (high - low) * (time - 100) / 100 : high;
        fleet.run(100);
        assertThat(desired(fleet)).isEqualTo(1);
        fleet.run(100);
        fleet.run(60);
        int peak = fleet.ready();
        assertThat(peak).as("replicas under high load").isBetween(2, 6);
        double settled = fleet.now();
        fleet.run(90);
        double median = fleet.medianTtft(settled, fleet.now());
        assertThat(median).as("median TTFT at the peak").isLessThan(SLO.ttftSeconds() / 2);
        fleet.requestsPerSecond = time -> low;
        fleet.run(STABILISATION_SECONDS + 60);
        assertThat(fleet.ready()).as("replicas after the peak").isEqualTo(1);
        assertThat(recommendation(fleet).status()).isEqualTo(ScalingStatus.RIGHT_SIZED);
    }

    @ParameterizedTest
    @CsvSource({
        "AGGREGATED, DECODE_FIRST, 8, 120",
        "AGGREGATED, DECODE_FIRST, 20, 120",
        "AGGREGATED, DECODE_FIRST, 34, 120",
        "AGGREGATED, PREFILL_FIRST, 8, 120",
        "AGGREGATED, PREFILL_FIRST, 20, 120",
        "PREFILL, DECODE_FIRST, 15, 1",
        "PREFILL, DECODE_FIRST, 45, 1",
        "PREFILL, DECODE_FIRST, 58, 1",
        "DECODE, DECODE_FIRST, 40, 120",
        "DECODE, DECODE_FIRST, 15, 400"
    })
    void predictsWhatRequestsThenSee(Role role, SchedulingRule rule, double rate, int output) {
        ToyFleet fleet = new ToyFleet(settings(role, rule, SLO, 10), 2, 3);
        fleet.follows = false;
        fleet.meanOutput = output;
        fleet.requestsPerSecond = time -> 2 * rate;
        fleet.run(60);
        double from = fleet.now();
        int plans = fleet.plans.size();
        int gaps = fleet.tokenGaps.size();
        fleet.run(60);
        List<PoolPlan> window = fleet.plans.subList(plans, fleet.plans.size());
        double ttft = fleet.medianTtft(from, fleet.now());
        assertThat(median(window, predicted -> predicted.ttft().p50Seconds()))
                .as("p50 TTFT")
                .isCloseTo(ttft, within(PROMISED * ttft));
        if (role != Role.PREFILL) {
            double itl = ToyFleet.median(fleet.tokenGaps.subList(gaps, fleet.tokenGaps.size()));
            assertThat(median(window, predicted -> predicted.itl().orElseThrow().p50Seconds()))
                    .as("p50 ITL")
                    .isCloseTo(itl, within(0.1 * itl));
        }
    }

    private static double median(List<PoolPlan> plans, ToDoubleFunction<LatencyPrediction.Predicted> value) {
        List<Double> values = new ArrayList<>();
        for (PoolPlan plan : plans) {
            if (plan.latency() instanceof LatencyPrediction.Predicted predicted) {
                values.add(value.applyAsDouble(predicted));
            }
        }
        assertThat(values).hasSize(plans.size());
        return ToyFleet.median(values);
    }

    @Test
    void infersTheTraffic() {
        ToyFleet fleet = aggregated(2, 5);
        fleet.follows = false;
        fleet.meanPrompt = 3000;
        fleet.requestsPerSecond = time -> 6;
        fleet.run(180);
        var traffic = fleet.plan().pool().load().traffic();
        assertThat(traffic.inputTokens().orElseThrow()).isCloseTo(3000, within(300.0));
        assertThat(traffic.outputTokens().orElseThrow()).isCloseTo(120, within(12.0));
        assertThat(traffic.requestsPerSecond().orElseThrow()).isCloseTo(6, within(1.5));
        assertThat(traffic.cachedShare().orElse(0)).isLessThan(0.05);
        assertThat(fleet.plan().pool().load().gapSeconds()).isCloseTo(0.0008, within(0.0001));
    }

    @ParameterizedTest
    @CsvSource({"10", "50", "70"})
    void infersOutputLengthInADecodePool(double rate) {
        ToyFleet fleet = new ToyFleet(settings(Role.DECODE, SchedulingRule.DECODE_FIRST, SLO, 10), 2, 5);
        fleet.follows = false;
        fleet.requestsPerSecond = time -> 2 * rate;
        fleet.run(120);
        var traffic = fleet.plan().pool().load().traffic();
        assertThat(traffic.outputTokens().orElseThrow()).isCloseTo(120, within(18.0));
    }

    @ParameterizedTest
    @CsvSource({"AGGREGATED, 12", "PREFILL, 30", "DECODE, 30"})
    void lostFramesDoNotMakeDemandLookSmall(Role role, double rate) {
        ToyFleet fleet = new ToyFleet(settings(role, SchedulingRule.DECODE_FIRST, SLO, 10), 2, 53);
        fleet.follows = false;
        fleet.lossShare = 0.8;
        fleet.requestsPerSecond = time -> 2 * rate;
        fleet.run(150);
        var traffic = fleet.plan().pool().load().traffic();
        assertThat(traffic.requestsPerSecond().orElseThrow()).isCloseTo(2 * rate, within(0.25 * 2 * rate));
        double tokens = role == Role.DECODE ? 2 * rate * 120 : 2 * rate * 800;
        double seen = role == Role.DECODE ? traffic.decodeTokensPerSecond() : traffic.prefillTokensPerSecond();
        assertThat(seen).isCloseTo(tokens, within(0.25 * tokens));
    }

    @Test
    void aStandingQueueIsPartOfThePredictionAndOrdersReplicas() {
        ToyFleet fleet = aggregated(1, 11);
        fleet.follows = false;
        fleet.requestsPerSecond = time -> time < 40 ? 15 : 75;
        fleet.run(70);
        PoolPlan then = fleet.plan();
        fleet.run(60);
        double ttft = fleet.medianTtft(69.5, 70.5);
        assertThat(ttft).as("TTFT behind the queue").isGreaterThan(3);
        var predicted = (LatencyPrediction.Predicted) then.latency();
        assertThat(predicted.ttft().p50Seconds()).isCloseTo(ttft, within(PROMISED * ttft));
        assertThat(predicted.queueWaitSeconds())
                .isGreaterThan(0.8 * predicted.ttft().p50Seconds());
        assertThat(then.recommendation().status()).isEqualTo(ScalingStatus.UNDER_PROVISIONED);
        assertThat(then.recommendation().desired().orElseThrow()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void aBacklogThatIsGoneBeforeAReplicaWouldServeOrdersNone() {
        ToyFleet fleet = aggregated(1, 13);
        fleet.follows = false;
        fleet.requestsPerSecond = time -> time < 60 ? 15 : time < 80 ? 120 : 15;
        fleet.run(75);
        assertThat(recommendation(fleet).status()).isEqualTo(ScalingStatus.UNDER_PROVISIONED);
        fleet.run(37);
        assertThat(fleet.plan().pool().load().queuedPrefillRequests()).isGreaterThan(100);
        // Engines do not give away what they queued: others could only take what comes once they are up.
        assertThat(recommendation(fleet).status()).isEqualTo(ScalingStatus.RIGHT_SIZED);
    }

    @Test
    void flatTrafficCausesNoReversals() {
        for (long seed = 1; seed <= 3; seed++) {
            ToyFleet fleet = aggregated(1, seed);
            fleet.requestsPerSecond = time -> 40;
            fleet.run(200);
            int before = fleet.plans.size();
            fleet.run(600);
            List<Integer> sizes = fleet.plans.subList(before, fleet.plans.size()).stream()
                    .map(plan -> plan.recommendation().desired().orElseThrow())
                    .toList();
            int changes = 0;
            for (int i = 1; i < sizes.size(); i++) {
                changes += sizes.get(i).equals(sizes.get(i - 1)) ? 0 : 1;
            }
            assertThat(changes).as("changes in ten minutes, seed %d", seed).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void stoppedTrafficShrinksToTheMinimumWithinOneStabilisationTime() {
        ToyFleet fleet = aggregated(4, 17);
        fleet.requestsPerSecond = time -> time < 120 ? 80 : 0;
        fleet.run(120);
        assertThat(fleet.ready()).isGreaterThan(1);
        fleet.run(STABILISATION_SECONDS + 45);
        assertThat(desired(fleet)).isEqualTo(1);
        assertThat(recommendation(fleet).reason()).isEqualTo(ReasonCode.IDLE);
        assertThat(recommendation(fleet).limitedBy()).contains(LimitingFactor.MIN_REPLICAS);
    }

    @Test
    void aTelemetryOutageNeverShrinks() {
        ToyFleet fleet = aggregated(2, 19);
        fleet.requestsPerSecond = time -> 60;
        fleet.run(150);
        int before = desired(fleet);
        assertThat(before).isGreaterThanOrEqualTo(2);
        fleet.telemetry = false;
        fleet.run(300);
        assertThat(fleet.plans.subList(150, fleet.plans.size()))
                .allSatisfy(plan -> assertThat(plan.recommendation().desired().orElseThrow())
                        .isGreaterThanOrEqualTo(before));
        assertThat(recommendation(fleet).status()).isEqualTo(ScalingStatus.UNDECIDED);
        assertThat(recommendation(fleet).reason()).isEqualTo(ReasonCode.STALE_TELEMETRY);
        assertThat(recommendation(fleet).demand().requestsPerSecond())
                .as("unknown, not zero")
                .isEmpty();
        assertThat(recommendation(fleet).message()).doesNotContain("requests/s");
        assertThat(fleet.plan().latency()).isInstanceOf(LatencyPrediction.NotReady.class);
        fleet.telemetry = true;
        fleet.run(30);
        assertThat(recommendation(fleet).status()).isNotEqualTo(ScalingStatus.UNDECIDED);
        assertThat(desired(fleet)).isGreaterThanOrEqualTo(before);
    }

    @Test
    void aCrashedWorkerIsMissedNotWrittenOff() {
        ToyFleet fleet = aggregated(3, 23);
        fleet.requestsPerSecond = time -> 80;
        fleet.run(100);
        int before = desired(fleet);
        fleet.follows = false;
        fleet.kill();
        fleet.run(20);
        assertThat(recommendation(fleet).reason())
                .isIn(ReasonCode.PARTIAL_TELEMETRY, ReasonCode.DEMAND_ABOVE_CAPACITY, ReasonCode.TTFT_ABOVE_SLO);
        fleet.run(60);
        assertThat(desired(fleet)).isGreaterThanOrEqualTo(before);
        assertThat(fleet.plans)
                .extracting(plan -> plan.recommendation().message())
                .allSatisfy(message -> assertThat(message).doesNotContainPattern("Only (\\d+) of \\1 "));
    }

    @ParameterizedTest
    @CsvSource({"0", "15"})
    void workersHeardOfAgainAreNotJudgedByWhatSufficedForTheRest(double allSilentSeconds) {
        ToyFleet fleet = aggregated(4, 37);
        fleet.requestsPerSecond = time -> 80;
        fleet.run(150);
        int before = desired(fleet);
        assertThat(before).isGreaterThanOrEqualTo(3);
        fleet.follows = false;
        fleet.plan().pool().workers().stream().limit(2).forEach(worker -> fleet.unheard.add(worker.workerId()));
        fleet.run(300);
        fleet.telemetry = false;
        fleet.run(allSilentSeconds);
        fleet.unheard.clear();
        fleet.telemetry = true;
        int back = fleet.plans.size();
        fleet.run(90);
        // All four serve, and as many are needed as before; what two of them needed says nothing.
        assertThat(fleet.plans.subList(back, fleet.plans.size()))
                .allSatisfy(plan -> assertThat(plan.recommendation().desired().orElseThrow())
                        .isGreaterThanOrEqualTo(before));
    }

    @Test
    void departuresThatWereRecommendedAreNoOutage() {
        ToyFleet fleet = aggregated(3, 29);
        fleet.requestsPerSecond = time -> 12;
        fleet.run(120);
        assertThat(fleet.ready()).isEqualTo(1);
        int shrunk = fleet.plans.size();
        fleet.run(60);
        assertThat(fleet.plans.subList(shrunk, fleet.plans.size()))
                .noneMatch(plan -> plan.recommendation().status() == ScalingStatus.UNDECIDED);
    }

    @Test
    void nothingIsRecommendedBeforeAnythingIsKnown() {
        ToyFleet fleet = aggregated(2, 31);
        fleet.telemetry = false;
        fleet.run(5);
        assertThat(recommendation(fleet).desired()).isEmpty();
        assertThat(recommendation(fleet).reason()).isEqualTo(ReasonCode.NO_DATA);
        fleet.telemetry = true;
        fleet.run(5);
        assertThat(recommendation(fleet).status()).isEqualTo(ScalingStatus.UNDECIDED);
        assertThat(recommendation(fleet).reason()).isEqualTo(ReasonCode.MODEL_COLD);
        assertThat(desired(fleet)).as("held").isEqualTo(2);
        assertThat(fleet.plan().latency())
                .isInstanceOfSatisfying(
                        LatencyPrediction.NotReady.class,
                        missing -> assertThat(missing.regimes()).hasSize(3));
    }

    @Test
    void anUnreachableObjectiveDoesNotInflateTheFleet() {
        SloTarget impossible = new SloTarget(0.005, 0.001, 0.95);
        ToyFleet fleet = new ToyFleet(settings(Role.AGGREGATED, SchedulingRule.DECODE_FIRST, impossible, 10), 2, 37);
        fleet.requestsPerSecond = time -> 20;
        fleet.run(120);
        assertThat(recommendation(fleet).capacity().orElseThrow().sloReachable())
                .isFalse();
        assertThat(recommendation(fleet).reason()).isEqualTo(ReasonCode.SLO_UNREACHABLE);
        assertThat(desired(fleet)).isLessThanOrEqualTo(4);
    }

    @Test
    void theMaximumBindsAndSaysSo() {
        ToyFleet fleet = new ToyFleet(settings(Role.AGGREGATED, SchedulingRule.DECODE_FIRST, SLO, 2), 1, 41);
        fleet.requestsPerSecond = time -> 150;
        fleet.run(90);
        assertThat(desired(fleet)).isEqualTo(2);
        assertThat(recommendation(fleet).status()).isEqualTo(ScalingStatus.UNDER_PROVISIONED);
        assertThat(recommendation(fleet).limitedBy()).contains(LimitingFactor.MAX_REPLICAS);
    }

    @Test
    void sameFramesSameDecisions() {
        List<Recommendation> first = decisions();
        assertThat(decisions()).isEqualTo(first);
        assertThat(first).hasSize(150);
    }

    private static List<Recommendation> decisions() {
        ToyFleet fleet = aggregated(2, 43);
        fleet.requestsPerSecond = time -> 20 + 40 * Math.sin(time / 30);
        fleet.run(150);
        return fleet.plans.stream().map(PoolPlan::recommendation).toList();
    }

    @Test
    void theSameFramesGiveTheSameDecisions() {
        List<ToyFleet> fleets = List.of(aggregated(1, 5), aggregated(1, 5));
        for (ToyFleet fleet : fleets) {
            fleet.requestsPerSecond = time -> time < 60 ? 12 : 60;
            fleet.run(150);
        }
        assertThat(fleets.get(0).plan().decisions()).hasSizeGreaterThan(2);
        assertThat(fleets.get(0).plan().decisions())
                .isEqualTo(fleets.get(1).plan().decisions());
    }

    @Test
    void adviceIsNeverTakenForAnOrder() {
        PoolSettings act = settings(Role.AGGREGATED, SchedulingRule.DECODE_FIRST, SLO, 10);
        ToyFleet fleet = new ToyFleet(act.withScaling(act.scaling().withMode(ScalingMode.ADVISORY)), 1, 5);
        fleet.follows = false;
        fleet.requestsPerSecond = time -> time < 40 ? 12 : 90;
        fleet.run(90);
        Recommendation made = recommendation(fleet);
        assertThat(made.advisory()).isTrue();
        assertThat(made.desired().orElseThrow()).isGreaterThan(1);
        assertThat(made.fleet().pending()).isZero();
        assertThat(made.outlook().orElseThrow().current().replicas()).isEqualTo(1);
    }

    @Test
    void doesNotShrinkOnWhatPublishersThatKeepRestartingTell() {
        ToyFleet fleet = aggregated(4, 5);
        fleet.requestsPerSecond = time -> 150;
        fleet.run(200);
        int before = desired(fleet);
        fleet.follows = false;
        int from = fleet.plans.size();
        for (int flap = 0; flap < 40; flap++) {
            fleet.telemetry = false;
            fleet.run(2);
            fleet.restartPublishers();
            fleet.telemetry = true;
            fleet.run(2);
        }
        assertThat(before).isGreaterThan(2);
        assertThat(fleet.plans.subList(from, fleet.plans.size()))
                .allSatisfy(plan -> assertThat(plan.recommendation().desired().orElse(before))
                        .isGreaterThanOrEqualTo(before));
    }
}
