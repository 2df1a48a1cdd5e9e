/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingObjective;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SloTarget;
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
}
