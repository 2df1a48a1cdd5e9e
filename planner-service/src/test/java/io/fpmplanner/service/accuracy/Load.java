/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import io.fpmplanner.sim.workload.ArrivalRate;

/**
 * The load of one comparison.
 *
 * @param name for the table
 * @param utilisation arrivals over the saturated throughput once measuring begins
 * @param backlog whether a burst leaves a queue behind first
 */
record Load(String name, double utilisation, boolean backlog) {
    static final double LEARNED_SECONDS = 90;
    private static final double BURST_SECONDS = 20;
    private static final double BURST = 2;
    private static final double CALM = 0.6;

    static Load steady(double utilisation) {
        return new Load(Double.toString(utilisation), utilisation, false);
    }

    static Load standingQueue() {
        return new Load("queue", 0.95, true);
    }

    /** When what is measured begins. */
    double measureFromSeconds() {
        return backlog ? LEARNED_SECONDS + BURST_SECONDS : LEARNED_SECONDS;
    }

    ArrivalRate rate(double saturated) {
        return backlog ? new Burst(saturated) : ArrivalRate.constant(utilisation * saturated);
    }

    private record Burst(double saturated) implements ArrivalRate {
        @Override
        public double requestsPerSecond(double seconds) {
            if (seconds < LEARNED_SECONDS) {
                return CALM * saturated;
            }
            return saturated * (seconds < LEARNED_SECONDS + BURST_SECONDS ? BURST : 0.95);
        }

        @Override
        public double peak() {
            return BURST * saturated;
        }
    }
}
