/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.PoolView;

/**
 * Whether so many publishers began anew lately that what was heard of the pool says little. Not threadsafe.
 *
 * <p>A publisher that begins anew has told nothing while it was away, though its engine may have served all along. One of
 * many does so now and then, or a broken one again and again, and must not keep a fleet from shrinking; where a part of
 * the fleet does, much of its traffic was never heard of.
 */
final class RestartDoubt {
    /** Restarts lately for each live rank. */
    private static final double MOST_RESTARTS = 0.25;

    private final double fadingSeconds;
    private double lately;
    private long counted;
    private long beforeNanos;

    /** @param fadingSeconds over which a restart is forgotten */
    RestartDoubt(double fadingSeconds) {
        this.fadingSeconds = Math.max(1, fadingSeconds);
    }

    /** Takes one tick in and says whether it brought a restart too many. */
    boolean isRaisedBy(PoolView pool) {
        long restarts = pool.workers().stream()
                .flatMap(worker -> worker.ranks().stream())
                .mapToLong(rank -> rank.counters().restarts())
                .sum();
        long ranks = pool.liveRanks().count();
        double seconds = Math.max(0, (pool.nowNanos() - beforeNanos) * 1e-9);
        lately = lately * Math.exp(-seconds / fadingSeconds) + Math.max(0, restarts - counted);
        boolean isNew = restarts > counted;
        counted = restarts;
        beforeNanos = pool.nowNanos();
        return isNew && lately > MOST_RESTARTS * ranks;
    }
}
