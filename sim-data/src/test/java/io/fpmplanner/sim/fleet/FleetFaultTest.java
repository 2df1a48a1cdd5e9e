/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.fleet.PoolSpec.Replicas;
import io.fpmplanner.sim.fleet.RequestRecord.Outcome;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.LengthDistribution;
import io.fpmplanner.sim.workload.RequestStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One pool of engines whose steps all take 10 ms, 2 requests per second of 20 steps each, and one thing that goes wrong. */
class FleetFaultTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NEVER = Long.MAX_VALUE;

    private record Arrived(FrameOrigin origin, ForwardPassMetrics frame, long nowNanos) {}

    private final RequestLedger ledger = new RequestLedger();
    private final List<Arrived> frames = new ArrayList<>();

    @Test
    void a_crash_takes_the_requests_inside_and_a_replacement_is_ordered() {
        Fleet fleet = fleet(replicas(2, ColdStart.fixed(5 * SECOND)), Fault.crash("agg", 10 * SECOND, 0));

        fleet.advanceTo(10 * SECOND);
        assertThat(fleet.load("agg").ready()).isEqualTo(1);
        assertThat(fleet.load("agg").pending()).isEqualTo(1);

        fleet.advanceTo(40 * SECOND);
        PoolLoad load = fleet.load("agg");
        assertThat(load.ready()).isEqualTo(2);
        assertThat(load.lost()).isPositive().isEqualTo(count(Outcome.LOST));
        assertThat(ledger.records())
                .filteredOn(record -> record.outcome() == Outcome.LOST)
                .allSatisfy(record -> assertThat(record.endNanos()).isEqualTo(10 * SECOND));
        assertThat(frames).extracting(arrived -> arrived.origin().workerId()).contains("agg-0", "agg-1", "agg-2");
        // Ten seconds of two, five of one, twenty-five of two; five of starting.
        assertThat(load.gpuSeconds().serving()).isCloseTo(75, within(1e-9));
        assertThat(load.gpuSeconds().starting()).isCloseTo(5, within(1e-9));
    }

    @Test
    void a_stuck_replica_sends_heartbeats_only_keeps_its_requests_and_goes_on_afterwards() {
        Fleet fleet = fleet(replicas(1, ColdStart.fixed(0)), Fault.stuck("agg", 10 * SECOND, 20 * SECOND, 0));

        fleet.advanceTo(20 * SECOND - 1);
        assertThat(frames)
                .filteredOn(arrived -> arrived.nowNanos() > 10 * SECOND)
                .hasSizeBetween(8, 10)
                .allSatisfy(
                        arrived -> assertThat(arrived.frame().wallTimeSeconds()).isZero());
        assertThat(fleet.load("agg").waiting()).isGreaterThan(5);

        fleet.advanceTo(60 * SECOND);
        assertThat(count(Outcome.LOST)).isZero();
        assertThat(frames)
                .extracting(arrived -> arrived.frame().wallTimeSeconds())
                .anyMatch(seconds -> seconds > 9);
        assertThat(ledger.unfinished()).isLessThan(5);
    }

    @Test
    void a_replica_that_is_stuck_for_good_never_ends_a_step_and_nothing_hangs() {
        Fleet fleet = fleet(replicas(1, ColdStart.fixed(0)), Fault.stuck("agg", 10 * SECOND, NEVER, 0));

        fleet.advanceTo(100 * SECOND);

        assertThat(ledger.unfinished()).isGreaterThan(100);
        assertThat(fleet.load("agg").ready()).isEqualTo(1);
    }

    @Test
    void a_slow_replica_takes_longer_for_its_steps_until_the_fault_is_over() {
        Fleet fleet = fleet(replicas(2, ColdStart.fixed(0)), Fault.slow("agg", 10 * SECOND, 20 * SECOND, 1, 3));

        fleet.advanceTo(30 * SECOND);

        assertThat(wallMillis("agg-0", 0, 30)).containsOnly(10L);
        assertThat(wallMillis("agg-1", 0, 10)).containsOnly(10L);
        assertThat(wallMillis("agg-1", 11, 20)).containsOnly(30L);
        assertThat(wallMillis("agg-1", 21, 30)).containsOnly(10L);
    }

    @Test
    void frames_lost_in_a_telemetry_outage_leave_a_gap_while_requests_are_served() {
        Fleet fleet = fleet(replicas(1, ColdStart.fixed(0)), Fault.telemetryOutage("agg", 10 * SECOND, 20 * SECOND));

        fleet.advanceTo(30 * SECOND);

        assertThat(frames).noneMatch(arrived -> arrived.nowNanos() >= 10 * SECOND && arrived.nowNanos() < 20 * SECOND);
        List<Long> numbers =
                frames.stream().map(arrived -> arrived.frame().counterId()).toList();
        assertThat(numbers).isSorted().doesNotHaveDuplicates();
        assertThat(numbers.get(numbers.size() - 1)).isGreaterThan(numbers.size() + 100);
        assertThat(ledger.records())
                .anyMatch(record -> record.endNanos() > 10 * SECOND && record.endNanos() < 20 * SECOND);
    }

    @Test
    void an_outage_counts_for_replicas_that_start_during_it() {
        Fleet fleet = fleet(replicas(1, ColdStart.fixed(2 * SECOND)), Fault.telemetryOutage("agg", 10 * SECOND, NEVER));
        fleet.advanceTo(11 * SECOND);
        fleet.scaleTo("agg", 2);
        fleet.advanceTo(30 * SECOND);

        assertThat(fleet.load("agg").ready()).isEqualTo(2);
        assertThat(frames).noneMatch(arrived -> arrived.origin().workerId().equals("agg-1"));
    }

    @Test
    void without_capacity_orders_stay_pending_cost_nothing_and_are_placed_when_there_is_some() {
        Fleet fleet = fleet(
                replicas(1, ColdStart.fixed(5 * SECOND)), Fault.capacityLimit("agg", 10 * SECOND, 40 * SECOND, 2));
        fleet.advanceTo(20 * SECOND);
        fleet.scaleTo("agg", 4);

        fleet.advanceTo(39 * SECOND);
        assertThat(fleet.load("agg").ready()).isEqualTo(2);
        assertThat(fleet.load("agg").pending()).isEqualTo(2);
        assertThat(fleet.load("agg").gpuSeconds().starting()).isCloseTo(5, within(1e-9));

        fleet.advanceTo(45 * SECOND);
        assertThat(fleet.load("agg").ready()).isEqualTo(4);
    }

    @Test
    void a_start_that_never_becomes_ready_stays_pending_and_costs_its_gpus_until_it_is_given_back() {
        Fleet fleet = fleet(replicas(1, new ColdStart(5 * SECOND, 0, 1)));
        fleet.scaleTo("agg", 3);

        fleet.advanceTo(1_000 * SECOND);
        assertThat(fleet.load("agg").ready()).isEqualTo(1);
        assertThat(fleet.load("agg").pending()).isEqualTo(2);

        fleet.scaleTo("agg", 1);
        fleet.advanceTo(2_000 * SECOND);
        assertThat(fleet.load("agg").pending()).isZero();
        assertThat(fleet.load("agg").gpuSeconds().starting()).isCloseTo(2_000, within(1e-6));
        assertThat(fleet.load("agg").gpuSeconds().total()).isCloseTo(4_000, within(1e-6));
    }

    @Test
    void cold_starts_follow_their_distribution_and_their_seed() {
        Fleet fleet = fleet(new Replicas(0, 300, 300, new ColdStart(30 * SECOND, 0.5, 0.1), 2));
        fleet.scaleTo("agg", 300);

        fleet.advanceTo(30 * SECOND);
        assertThat(fleet.load("agg").ready()).isBetween(108, 162); // Half of the nine tenths that start, +- 3 sigma.
        fleet.advanceTo(300 * SECOND);
        assertThat(fleet.load("agg").ready()).isBetween(254, 286);

        Fleet same = fleet(new Replicas(0, 300, 300, new ColdStart(30 * SECOND, 0.5, 0.1), 2));
        same.scaleTo("agg", 300);
        same.advanceTo(300 * SECOND);
        assertThat(same.load("agg")).isEqualTo(fleet.load("agg"));
    }

    @Test
    void a_draining_replica_costs_until_it_is_done() {
        Fleet fleet = fleet(replicas(2, ColdStart.fixed(0)));
        fleet.advanceTo(10 * SECOND);
        fleet.scaleTo("agg", 0);
        fleet.advanceTo(20 * SECOND);

        GpuSeconds gpu = fleet.load("agg").gpuSeconds();
        assertThat(gpu.serving()).isCloseTo(20, within(1e-9));
        assertThat(gpu.draining()).isBetween(0.0, 0.5);
        assertThat(fleet.load("agg").draining()).isZero();
    }

    @Test
    void faults_that_make_no_sense_are_refused() {
        assertThatThrownBy(() -> Fault.slow("agg", 0, 1, 0, 0)).hasMessageContaining("factor");
        assertThatThrownBy(() -> Fault.stuck("agg", 5, 5, 0)).hasMessageContaining("must end after it begins");
        assertThatThrownBy(() -> Fault.capacityLimit("agg", 0, 1, -1)).hasMessageContaining("replicas");
        assertThatThrownBy(() -> fleet(replicas(1, ColdStart.fixed(0)), Fault.crash("nope", 0, 0)))
                .hasMessageContaining("nope");
        assertThatThrownBy(() -> new ColdStart(0, -1, 0)).hasMessageContaining("sigma");
        assertThatThrownBy(() -> new ColdStart(0, 0, 2)).hasMessageContaining("neverReadyShare");
    }

    private long count(Outcome outcome) {
        return ledger.records().stream()
                .filter(record -> record.outcome() == outcome)
                .count();
    }

    private List<Long> wallMillis(String workerId, long fromSeconds, long toSeconds) {
        return frames.stream()
                .filter(arrived -> arrived.origin().workerId().equals(workerId))
                .filter(arrived ->
                        arrived.nowNanos() > fromSeconds * SECOND && arrived.nowNanos() <= toSeconds * SECOND)
                .map(arrived -> arrived.frame().wallTimeSeconds())
                .filter(seconds -> seconds > 0)
                .map(seconds -> Math.round(seconds * 1e3))
                .toList();
    }

    private static Replicas replicas(int initial, ColdStart coldStart) {
        return new Replicas(initial, 8, 8, coldStart, 1);
    }

    private Fleet fleet(Replicas replicas, Fault... faults) {
        PoolSpec pool = new PoolSpec(
                "agg",
                EngineSettings.vllm(512, 64, 100_000),
                seed -> batch -> 0.010,
                Router.ROUND_ROBIN,
                replicas,
                null);
        Traffic traffic = new Traffic(
                "agg",
                new RequestStream(
                        ArrivalRate.constant(4), LengthDistribution.fixed(100), LengthDistribution.fixed(20), 0, 1));
        return new Fleet(
                new FleetSettings(List.of(pool), List.of(traffic), 0, 10 * SECOND, 7, List.of(faults)),
                new FrameChannels((origin, frame, nowNanos) -> frames.add(new Arrived(origin, frame, nowNanos))),
                ledger);
    }
}
