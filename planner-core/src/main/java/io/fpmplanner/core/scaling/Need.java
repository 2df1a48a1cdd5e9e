/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.scaling.Recommendation.ReplicaCapacity;

/**
 * Replicas that a demand needs, before rounding and limits.
 *
 * @param steady for the demand as it is
 * @param withTrend for the demand after a cold start
 * @param withBacklog for that, and to work off what waits
 */
record Need(double steady, double withTrend, double withBacklog) {
    /* What waits is to be worked off within one cold start, but not so fast that a blip orders a fleet. */
    private static final double SHORTEST_DRAIN_SECONDS = 10;

    static final Need NOTHING = new Need(0, 0, 0);

    Need times(double factor) {
        return new Need(steady * factor, withTrend * factor, withBacklog * factor);
    }

    static Need of(DemandHistory.Level level, ReplicaCapacity capacity, ScalingSettings scaling, Role role) {
        double prefill = capacity.prefillTokensPerSecond() * capacity.utilisation();
        double decode = capacity.decodeTokensPerSecond() * capacity.utilisation();
        double byPrefill = prefill > 0 ? level.prefillTokensPerSecond() / prefill : 0;
        double byDecode = decode > 0 ? level.decodeTokensPerSecond() / decode : 0;
        double steady = Math.max(byPrefill, byDecode);
        double withTrend = steady * level.growth();
        double drainSeconds = Math.max(SHORTEST_DRAIN_SECONDS, scaling.coldStartSeconds());
        double backlogRate = level.backlogTokens() / drainSeconds;
        double served = role == Role.DECODE ? decode : prefill;
        double drain = served > 0 ? backlogRate / served : 0;
        return new Need(steady, withTrend, withTrend + drain);
    }
}
