/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import java.util.OptionalDouble;

/** The KV cache use at which requests of a pool were seen to wait for nothing else. Not threadsafe. */
final class KvLevel {
    /*
     * FPM does not tell the capacity. But where something waits though the step had room for more sequences and tokens, it
     * can only wait for KV blocks, and what is in use then is about all there is: somewhat less, for the first that waits
     * did not fit. The largest such level, fading slowly so that a mistake is forgotten.
     */
    private static final int FEWEST = 20;
    private static final double FADE = 0.9995;
    private static final double ROOM = 0.9;

    private double level;
    private long blocked;

    /**
     * Whether something waits after that step for no other reason than room in the cache, as far as one step tells: a
     * prompt that came while it ran looks the same. In a DECODE pool requests wait for their transfer too.
     */
    static boolean isBlocked(FpmFrame step, EngineLimits limits, Role role) {
        double sequences = (double) step.scheduledDecodeRequests() + step.scheduledPrefillRequests();
        double tokens = (double) step.scheduledDecodeRequests() + step.scheduledPrefillTokens();
        return role == Role.AGGREGATED
                && step.queuedPrefillRequests() > 0
                && step.scheduledPrefillTokens() == 0
                && sequences < ROOM * limits.maxSequences()
                && tokens < ROOM * limits.maxBatchedTokens();
    }

    /** Takes a step after which something waits, as after several before it. */
    void add(FpmFrame step) {
        blocked++;
        level = Math.max(FADE * level, (double) step.scheduledDecodeKvTokens() + step.scheduledDecodeRequests());
    }

    /** Tokens; empty while hardly anything was seen to wait for them. */
    OptionalDouble tokens() {
        return blocked < FEWEST || level <= 0 ? OptionalDouble.empty() : OptionalDouble.of(level);
    }
}
