/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.List;

/**
 * How long the steps of a rank or worker take relative to its peers at equal work.
 *
 * @param factor what the pool's step times are multiplied by to get this one's, &gt; 0; 1 unless SLOW or FAST
 * @param standardError of the logarithm of the factor; infinite while unknown
 * @param verdict what that means
 * @param frames steps it rests on
 */
public record Speed(double factor, double standardError, SpeedVerdict verdict, long frames) {
    static Speed unknown(long frames) {
        return new Speed(1, Double.POSITIVE_INFINITY, SpeedVerdict.UNKNOWN, frames);
    }

    /** Of a worker with these ranks: the mean factor of those that are known; one slow rank makes a slow worker. */
    static Speed of(List<Speed> ranks) {
        if (ranks.size() == 1) {
            return ranks.get(0);
        }
        long frames = ranks.stream().mapToLong(Speed::frames).sum();
        List<Speed> known = ranks.stream()
                .filter(rank -> rank.verdict != SpeedVerdict.UNKNOWN)
                .toList();
        if (known.isEmpty()) {
            return unknown(frames);
        }
        double log = known.stream()
                .mapToDouble(rank -> Math.log(rank.factor))
                .average()
                .orElse(0);
        double error = known.stream().mapToDouble(Speed::standardError).max().orElse(0);
        SpeedVerdict verdict = known.stream().anyMatch(rank -> rank.verdict == SpeedVerdict.SLOW)
                ? SpeedVerdict.SLOW
                : known.stream().allMatch(rank -> rank.verdict == SpeedVerdict.FAST)
                        ? SpeedVerdict.FAST
                        : SpeedVerdict.NORMAL;
        return new Speed(Math.exp(log), error, verdict, frames);
    }
}
