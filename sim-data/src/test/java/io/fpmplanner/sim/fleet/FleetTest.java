/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.GpuSpec;
import io.fpmplanner.sim.engine.NoisyLaw;
import io.fpmplanner.sim.engine.Refusal;
import io.fpmplanner.sim.engine.RequestLog;
import io.fpmplanner.sim.engine.RooflineLaw;
import io.fpmplanner.sim.engine.TransformerSpec;
import io.fpmplanner.sim.fleet.PoolSpec.Replicas;
import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.LengthDistribution;
import io.fpmplanner.sim.workload.Request;
import io.fpmplanner.sim.workload.RequestStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FleetTest {
    private static final long SECOND = 1_000_000_000L;
    private static final RooflineLaw LAW = new RooflineLaw(TransformerSpec.LLAMA_3_1_8B, GpuSpec.L40S);
    private static final EngineSettings ENGINE = EngineSettings.vllm(1024, 64, 100_000);

    private final RecordingChannels channels = new RecordingChannels();
    private final RecordingFleetListener listener = new RecordingFleetListener();

    @Test
    void ordered_replicas_are_pending_until_their_cold_start_is_over() {
        Fleet fleet = fleet(aggregated(1, 4, 8), 1.0, 1);

        fleet.scaleTo("agg", 3);
        fleet.advanceTo(5 * SECOND - 1);
        assertThat(pool(fleet, 0).ready()).isEqualTo(1);
        assertThat(pool(fleet, 0).pending()).isEqualTo(2);

        fleet.advanceTo(5 * SECOND);
        assertThat(pool(fleet, 0).ready()).isEqualTo(3);
        assertThat(pool(fleet, 0).pending()).isZero();
        assertThat(channels.opened).containsExactly("agg-0@0", "agg-1@1", "agg-2@2");
    }

    @Test
    void a_replica_given_back_drains_finishes_its_requests_and_closes() {
        Fleet fleet = fleet(aggregated(2, 4, 8), 20.0, 1);
        fleet.advanceTo(3 * SECOND);

        fleet.scaleTo("agg", 1);
        PoolState draining = pool(fleet, 0);
        long arrivedThen = draining.arrived();
        assertThat(draining.ready()).isEqualTo(1);
        assertThat(draining.draining()).isEqualTo(1);
        assertThat(channels.closed).isEmpty();

        fleet.advanceTo(40 * SECOND);
        assertThat(pool(fleet, 0).draining()).isZero();
        assertThat(channels.closed).hasSize(1);
        assertThat(listener.logs)
                .map(log -> log.request().id())
                .containsAll(LongStream.range(0, arrivedThen).boxed().toList());
    }

    @Test
    void pending_replicas_go_before_ready_ones() {
        Fleet fleet = fleet(aggregated(1, 4, 8), 1.0, 1);
        fleet.scaleTo("agg", 4);
        fleet.advanceTo(SECOND);

        fleet.scaleTo("agg", 2);
        assertThat(pool(fleet, 0).pending()).isEqualTo(1);
        assertThat(pool(fleet, 0).ready()).isEqualTo(1);

        fleet.advanceTo(6 * SECOND);
        assertThat(pool(fleet, 0).ready()).isEqualTo(2);
    }

    @Test
    void orders_are_clipped_to_the_bounds_of_the_pool() {
        Fleet fleet = fleet(aggregated(1, 4, 8), 1.0, 1);

        fleet.scaleTo("agg", 99);
        assertThat(pool(fleet, 0).pending()).isEqualTo(3);

        fleet.scaleTo("agg", -3);
        assertThat(pool(fleet, 0).ready() + pool(fleet, 0).pending()).isZero();
    }

    @Test
    void a_place_that_belongs_to_somebody_else_is_stepped_over() {
        channels.foreignSlots.add(0);
        channels.foreignSlots.add(2);
        Fleet fleet = fleet(aggregated(2, 3, 3), 1.0, 1);

        assertThat(channels.opened).containsExactly("agg-0@1");
        assertThat(pool(fleet, 0).failedStarts()).isEqualTo(1);
    }

    @Test
    void requests_wait_for_the_first_replica() {
        Fleet fleet = fleet(aggregated(0, 4, 8), 2.0, 1);
        fleet.advanceTo(10 * SECOND);
        assertThat(pool(fleet, 0).waiting()).isPositive();
        assertThat(listener.logs).isEmpty();

        fleet.scaleTo("agg", 2);
        fleet.advanceTo(60 * SECOND);

        assertThat(listener.logs).isNotEmpty();
        assertThat(listener.refused).isEmpty();
        // The first requests came in the first seconds and waited until second 15.
        double longest = listener.logs.stream()
                .mapToDouble(RequestLog::ttftSeconds)
                .max()
                .orElseThrow();
        assertThat(longest).isGreaterThan(10);
    }

    @Test
    void a_prefill_decode_pair_gives_each_request_one_first_token_and_one_end() {
        Fleet fleet = new Fleet(
                new FleetSettings(
                        List.of(pair(EngineKind.PREFILL_ONLY), pair(EngineKind.DECODE_ONLY)),
                        List.of(traffic("prefill", ArrivalRate.ramp(4, 0, 30), 3)),
                        0,
                        10 * SECOND,
                        3),
                channels,
                listener);
        fleet.advanceTo(300 * SECOND);

        PoolState prefill = pool(fleet, 0);
        PoolState decode = pool(fleet, 1);
        assertThat(prefill.arrived()).isEqualTo(listener.arrivals.size()).isGreaterThan(30);
        assertThat(decode.arrived()).isEqualTo(prefill.finished()).isEqualTo(prefill.arrived());
        assertThat(listener.logs).hasSameSizeAs(listener.arrivals);
        assertThat(listener.firstTokens).hasSameSizeAs(listener.arrivals);
        assertThat(listener.logs).allSatisfy(log -> {
            double transferSeconds = 0.02;
            double lastSeconds = (log.finishNanos() - log.firstTokenNanos()) * 1e-9;
            assertThat(lastSeconds).isGreaterThan(transferSeconds);
        });
        assertThat(prefill.ttft().overall()).isPresent();
        assertThat(prefill.itl().overall()).isEmpty();
        assertThat(decode.ttft().overall()).isEmpty();
        assertThat(decode.itl().overall()).isPresent();
    }

    @Test
    void least_loaded_beats_round_robin_when_lengths_differ() {
        double roundRobin = ttftP90(Router.ROUND_ROBIN);
        double leastLoaded = ttftP90(Router.LEAST_LOADED);

        assertThat(leastLoaded).isLessThan(roundRobin);
    }

    @Test
    void equal_seeds_give_equal_fleets() {
        assertThat(history(5)).isEqualTo(history(5)).isNotEqualTo(history(6));
    }

    @Test
    void a_fleet_that_cannot_be_is_refused() {
        assertThatThrownBy(() -> fleet(aggregated(5, 4, 8), 1, 1)).hasMessageContaining("initial");
        assertThatThrownBy(() ->
                        new FleetSettings(List.of(aggregated(1, 2, 2), aggregated(1, 2, 2)), List.of(), 0, SECOND, 1))
                .hasMessageContaining("agg");
        assertThatThrownBy(() -> fleet(aggregated(1, 4, 8), 1, 1).scaleTo("nope", 1))
                .hasMessageContaining("nope");
    }

    @Test
    void measuring_can_begin_anew() {
        Fleet fleet = fleet(aggregated(1, 4, 8), 5.0, 1);
        fleet.advanceTo(20 * SECOND);
        assertThat(pool(fleet, 0).ttft().overall()).isPresent();

        fleet.measureFromNow("agg");
        fleet.advanceTo(20 * SECOND + 1);
        assertThat(pool(fleet, 0).ttft().overall()).isEmpty();
        assertThat(pool(fleet, 0).ttft().recent()).isPresent();
    }

    private double ttftP90(Router router) {
        PoolSpec spec = new PoolSpec("agg", ENGINE, seed -> LAW, router, new Replicas(4, 4, 4, 0), null);
        Fleet fleet = fleet(spec, 60, 9);
        fleet.advanceTo(300 * SECOND);
        return pool(fleet, 0).ttft().overall().orElseThrow().p90Seconds();
    }

    private static List<PoolState> history(long seed) {
        Fleet fleet = new Fleet(
                new FleetSettings(
                        List.of(aggregated(1, 4, 8)),
                        List.of(traffic("agg", ArrivalRate.riseAndFall(1, 10, 30), seed)),
                        0,
                        10 * SECOND,
                        seed),
                new RecordingChannels(),
                new FleetListener() {});
        List<PoolState> history = new ArrayList<>();
        for (int second = 1; second <= 60; second++) {
            fleet.advanceTo(second * SECOND);
            fleet.scaleTo("agg", 1 + second / 20);
            history.addAll(fleet.state());
        }
        return history;
    }

    private static PoolSpec aggregated(int initial, int highest, int slots) {
        return new PoolSpec(
                "agg",
                ENGINE,
                seed -> new NoisyLaw(LAW, NoisyLaw.Noise.calm(), seed),
                Router.LEAST_LOADED,
                new Replicas(initial, highest, slots, 5 * SECOND),
                null);
    }

    private static PoolSpec pair(EngineKind kind) {
        boolean prefill = kind == EngineKind.PREFILL_ONLY;
        return new PoolSpec(
                prefill ? "prefill" : "decode",
                ENGINE.as(kind, 20_000_000),
                seed -> LAW,
                Router.LEAST_LOADED,
                new Replicas(1, 4, 8, 5 * SECOND),
                prefill ? "decode" : null);
    }

    private Fleet fleet(PoolSpec pool, double requestsPerSecond, long seed) {
        return new Fleet(
                new FleetSettings(
                        List.of(pool),
                        List.of(traffic("agg", ArrivalRate.constant(requestsPerSecond), seed)),
                        0,
                        10 * SECOND,
                        seed),
                channels,
                listener);
    }

    private static Traffic traffic(String poolId, ArrivalRate rate, long seed) {
        LengthDistribution prompts = LengthDistribution.logNormal(600, 0.8, 16, 6000);
        LengthDistribution outputs = LengthDistribution.logNormal(60, 0.5, 2, 400);
        return new Traffic(poolId, new RequestStream(rate, prompts, outputs, 0, seed));
    }

    private static PoolState pool(Fleet fleet, int index) {
        return fleet.state().get(index);
    }

    private static final class RecordingFleetListener implements FleetListener {
        final List<Request> arrivals = new ArrayList<>();
        final List<Request> firstTokens = new ArrayList<>();
        final List<RequestLog> logs = new ArrayList<>();
        final List<Refusal> refused = new ArrayList<>();

        @Override
        public void onArrival(String poolId, Request request) {
            arrivals.add(request);
        }

        @Override
        public void onFirstToken(String poolId, Request request, long nowNanos) {
            firstTokens.add(request);
        }

        @Override
        public void onFinished(String poolId, RequestLog log) {
            logs.add(log);
        }

        @Override
        public void onRefused(String poolId, Request request, Refusal refusal, long nowNanos) {
            refused.add(refusal);
        }
    }
}
