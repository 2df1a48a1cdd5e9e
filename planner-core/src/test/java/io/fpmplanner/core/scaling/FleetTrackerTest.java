/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.FleetView;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SloTarget;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class FleetTrackerTest {
    private static final PoolSettings SETTINGS = new PoolSettings(
            "pool",
            "",
            Role.AGGREGATED,
            new SloTarget(1, 0.05, 0.95),
            EngineLimits.defaults(),
            new ScalingSettings(1, 10, 0.8, 60, 20),
            LivenessSettings.defaults());

    private final FleetTracker tracker = new FleetTracker(SETTINGS);

    private static final FleetView UNTOLD = new FleetView(0, 0, 0, 1, true, OptionalInt.empty(), OptionalInt.empty());

    private static long at(double seconds) {
        return (long) (seconds * 1e9);
    }

    private FleetTracker.Fleet see(double seconds, int live, int stale) {
        FleetView view = new FleetView(live, stale, 0, 1, true, OptionalInt.empty(), OptionalInt.empty());
        return tracker.update(view, at(seconds));
    }

    @Test
    void anOrderIsPendingUntilItArrivesOrTimesOut() {
        assertThat(see(0, 2, 0).working()).isEqualTo(2);
        tracker.recommended(4, UNTOLD, at(0));
        assertThat(see(1, 2, 0).pending()).isEqualTo(2);
        assertThat(see(22, 3, 0).pending()).isEqualTo(1);
        tracker.recommended(4, UNTOLD, at(22));
        assertThat(see(44, 3, 0).pending()).isEqualTo(1);
        assertThat(see(49, 3, 0).pending())
                .as("after one and a half cold starts of 22 s, as measured, and 15 s")
                .isZero();
        assertThat(see(49, 3, 0).telemetryGap())
                .as("what never came is not missing")
                .isFalse();
    }

    @Test
    void whoIsHeardAfterItWasGivenUpIsNotMissedWhenMoreAreOrdered() {
        FleetView one = new FleetView(2, 0, 0, 1, true, OptionalInt.of(1), OptionalInt.of(0));
        see(0, 2, 0);
        tracker.recommended(1, one, at(0));
        tracker.update(one, at(5));
        tracker.recommended(4, one, at(5));
        FleetView later = new FleetView(1, 1, 0, 1, true, OptionalInt.of(1), OptionalInt.of(3));
        assertThat(tracker.update(later, at(20)).telemetryGap()).isFalse();
    }

    @Test
    void whoWasHeardOnceOnlyIsNotMissed() {
        see(0, 3, 0);
        tracker.recommended(4, UNTOLD, at(0));
        FleetView ghost =
                new FleetView(4, 0, 0, 1, true, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty(), 1);
        tracker.update(ghost, at(1));
        assertThat(see(6, 3, 1).telemetryGap()).isFalse();
        see(7, 4, 0);
        assertThat(see(12, 3, 1).telemetryGap()).as("once it had spoken twice").isTrue();
    }

    @Test
    void whoComesBackAfterASilenceIsNotWhoWasOrdered() {
        see(0, 2, 0);
        tracker.recommended(6, UNTOLD, at(0));
        assertThat(see(1, 2, 0).pending()).isEqualTo(4);
        assertThat(see(2, 0, 0).working()).isEqualTo(4);
        assertThat(see(5, 2, 0).working()).isEqualTo(6);
        assertThat(see(6, 3, 0).pending()).as("and this one was").isEqualTo(3);

        FleetTracker restarted = new FleetTracker(SETTINGS);
        restarted.restore(tracker.memory(new FleetMemory.RegretMemory(1, 0, -1, -1)));
        restarted.update(new FleetView(0, 0, 0, 1, false, OptionalInt.empty(), OptionalInt.empty()), at(7));
        FleetView back = new FleetView(3, 0, 0, 1, true, OptionalInt.empty(), OptionalInt.empty());
        assertThat(restarted.update(back, at(8)).working()).isEqualTo(6);
    }

    @Test
    void departuresThatWereRecommendedAreExpected() {
        see(0, 3, 0);
        tracker.recommended(3, UNTOLD, at(0));
        see(1, 3, 0);
        tracker.recommended(2, UNTOLD, at(1));
        FleetTracker.Fleet fleet = see(8, 2, 1);
        assertThat(fleet.telemetryGap()).isFalse();
        assertThat(fleet.ready()).isEqualTo(2);
        assertThat(fleet.pending()).isZero();
    }

    @Test
    void aSilentWorkerIsMissedForAColdStartAndTheStabilisationTime() {
        see(0, 3, 0);
        tracker.recommended(3, UNTOLD, at(0));
        see(100, 3, 0);
        FleetTracker.Fleet fleet = see(106, 2, 1);
        assertThat(fleet.telemetryGap()).isTrue();
        assertThat(fleet.ready()).isEqualTo(3);
        assertThat(see(140, 2, 0).telemetryGap()).as("gone for good").isTrue();
        assertThat(see(106 + 30 + 20 + 60 + 1, 2, 0).telemetryGap()).isFalse();
    }

    private FleetTracker.Fleet supplied(double seconds, int live, int ready, int pending) {
        FleetView view = new FleetView(live, 0, 0, 1, true, OptionalInt.of(ready), OptionalInt.of(pending));
        return tracker.update(view, at(seconds));
    }

    @Test
    void whatTheOrchestratorSaysIsTaken() {
        FleetTracker.Fleet fleet = supplied(0, 2, 5, 3);
        assertThat(fleet.ready()).isEqualTo(5);
        assertThat(fleet.pending()).isEqualTo(3);
        assertThat(fleet.telemetryGap()).as("three of five are not heard of").isTrue();
        assertThat(fleet.coverage()).isEqualTo(1);
    }

    @Test
    void replicasThatAreNeverHeardOfAreAtLastTakenToBeLoadedAlike() {
        supplied(0, 2, 5, 0);
        assertThat(supplied(100, 2, 5, 0).telemetryGap()).isTrue();
        supplied(120, 2, 5, 0);
        FleetTracker.Fleet fleet = supplied(121, 2, 5, 0);
        assertThat(fleet.telemetryGap()).isFalse();
        assertThat(fleet.coverage()).isEqualTo(2.5);
        assertThat(supplied(122, 1, 5, 0).telemetryGap())
                .as("one more falls silent")
                .isTrue();
        assertThat(supplied(123, 5, 5, 0).coverage())
                .as("all are heard of again")
                .isEqualTo(1);
    }
}
