/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingObjective;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.pool.SuppliedForecast;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sizes for a prefill pool whose replicas compute 5 prompts a second, 0.2 s each, cold start 30 s. */
class FleetSizingTest {
    private static final SloTarget SLO = new SloTarget(2, 0.05, 0.95);
    private static final ServiceCurve CURVE = new ServiceCurve(
            Role.PREFILL,
            SLO,
            new ServiceCurve.Points(
                    new double[] {0, 0},
                    new double[] {0, 5},
                    new double[] {0, 0},
                    new double[] {0.2, 0.2},
                    new double[] {0, 1}),
            0,
            Double.POSITIVE_INFINITY,
            true);

    private static FleetSizing sizing(ScalingObjective objective) {
        return new FleetSizing(CURVE, new ScalingSettings(1, 64, 0.95, 60, 30).withObjective(objective), SLO, 30);
    }

    private static DemandForecast flat(double requestsPerSecond) {
        return new DemandForecast(requestsPerSecond, 0, 0, 0);
    }

    private static FleetProjection.Start start(int ready, double waiting, double... due) {
        return new FleetProjection.Start(ready, new OrderBook.Pending(due), waiting, 0);
    }

    private static int best(DemandForecast forecast, FleetProjection.Start start) {
        return sizing(ScalingObjective.SLO).best(forecast, start, 1, 64).size();
    }

    @Test
    void theSteadyFleetMeetsTheObjectivesWithNoReplicaToSpare() {
        for (double demand = 1; demand < 100; demand *= 1.3) {
            int size = sizing(ScalingObjective.SLO).steady(flat(demand), 64);
            assertThat(CURVE.steadyAttainment(demand / size, size)).isGreaterThanOrEqualTo(0.95);
            if (size > 1) {
                boolean enough = CURVE.steadyAttainment(demand / (size - 1), size - 1) >= 0.95
                        && demand / (size - 1) <= 0.95 * 5;
                assertThat(enough).as("%d for %.1f/s", size - 1, demand).isFalse();
            }
        }
    }

    @Test
    void severalReplicasAreOrderedAtOnce() {
        assertThat(best(flat(25), start(1, 0))).isGreaterThanOrEqualTo(6);
    }

    @Test
    void pendingReplicasAreNotOrderedAgain() {
        int alone = best(flat(8), start(1, 10));
        assertThat(best(flat(8), start(1, 10, 5))).isLessThanOrEqualTo(alone);
        assertThat(best(flat(2), start(1, 0, 5))).isEqualTo(1);
    }

    @Test
    void aBacklogIsWorkedOffByMoreThanTheDemandNeeds() {
        int steady = best(flat(8), start(2, 0));
        assertThat(best(flat(8), start(2, 400))).isGreaterThan(steady);
    }

    @Test
    void perGpuAMissIsWorthLess() {
        FleetProjection.Start behind = start(1, 200);
        int bySlo = best(flat(8), behind);
        int perGpu = sizing(ScalingObjective.GOODPUT_PER_GPU)
                .best(flat(8), behind, 1, 64)
                .size();
        assertThat(perGpu).isLessThan(bySlo);
    }

    @Test
    void aRiseOverTheColdStartIsOrderedAhead() {
        DemandForecast rising = new DemandForecast(4, 0.2, 0, 30);
        assertThat(best(rising, start(1, 0))).isGreaterThanOrEqualTo(3);
    }

    private static final long SECOND = 1_000_000_000L;

    /** From a minute ago to in ten minutes, by straight lines: 4 requests/s, and 40 from the given second on. */
    private static DemandForecast supplied(DemandForecast own, double riseSeconds) {
        long rise = (long) (riseSeconds * SECOND);
        SuppliedForecast told = new SuppliedForecast(
                List.of(
                        new SuppliedForecast.Point(-60 * SECOND, 4),
                        new SuppliedForecast.Point(rise - SECOND, 4),
                        new SuppliedForecast.Point(rise, 40),
                        new SuppliedForecast.Point(600 * SECOND, 40)),
                Long.MAX_VALUE);
        return own.along(new Course(told, 0, 30, 1, 0));
    }

    @Test
    void aSuppliedForecastReplacesLevelAndTrend() {
        int steady = best(flat(4), start(1, 0));
        int peak = best(flat(40), start(9, 0));
        assertThat(best(supplied(flat(4), 25), start(steady, 0)))
                .as("a rise within a cold start")
                .isGreaterThanOrEqualTo(peak - 1);
        assertThat(best(supplied(new DemandForecast(4, 0.5, 0, 30), 500), start(steady, 0)))
                .as("a rise beyond the horizon, and none of our own")
                .isEqualTo(steady);
        assertThat(supplied(flat(4), 25).origin()).isEqualTo(ForecastOrigin.SUPPLIED);
    }

    @Test
    void aSuppliedForecastSaysNothingOutsideOfItsSpan() {
        SuppliedForecast past = new SuppliedForecast(
                List.of(new SuppliedForecast.Point(-60 * SECOND, 400), new SuppliedForecast.Point(20 * SECOND, 400)),
                Long.MAX_VALUE);
        DemandForecast forecast = flat(4).along(new Course(past, 0, 30, 1, 0));
        assertThat(forecast.requestsPerSecond(10)).isEqualTo(400);
        assertThat(forecast.requestsPerSecond(30)).isEqualTo(4);
        assertThat(forecast.origin()).isEqualTo(ForecastOrigin.TREND);
        assertThat(past.isOver(20 * SECOND)).isFalse();
        assertThat(past.isOver(20 * SECOND + 1)).isTrue();
        assertThat(new SuppliedForecast(past.points(), 5 * SECOND).isOver(6 * SECOND))
                .isTrue();
    }

    @Test
    void whoExpectsRequestsWithinAColdStartIsNotIdle() {
        assertThat(DemandForecast.NOTHING.expectsSome()).isFalse();
        SuppliedForecast soon = new SuppliedForecast(
                List.of(new SuppliedForecast.Point(10 * SECOND, 0), new SuppliedForecast.Point(20 * SECOND, 4)), 99);
        assertThat(DemandForecast.NOTHING.along(new Course(soon, 0, 30, 1, 0)).expectsSome())
                .isTrue();
        assertThat(DemandForecast.NOTHING
                        .along(new Course(soon, -40 * SECOND, 30, 1, 0))
                        .expectsSome())
                .isFalse();
    }
}
