/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;

/** Where a stream of frames stands by their numbers, and what was lost on the way. Not threadsafe. */
final class StreamPosition {
    /* More than an engine publishes in a week: not loss, but another producer or a corrupt number. */
    private static final long MOST_PLAUSIBLE_GAP = 1L << 30;

    private long newest = FpmFrame.NO_SEQUENCE;
    private long missedBefore;
    private long framesLost;

    /** How a frame follows on the one before it. */
    enum Move {
        /** Directly. */
        NEXT,
        /** After others that were lost, or nobody can tell. */
        LATER,
        /** Its number does not rise, or rises absurdly: somebody begins to count anew. */
        RESTARTED
    }

    /** Moves on to a frame of that number, negative if it has none. */
    Move moveTo(long position) {
        if (position < 0) {
            return Move.LATER;
        }
        long previous = newest;
        newest = position;
        missedBefore = 0;
        if (previous < 0) {
            return Move.LATER;
        }
        if (position <= previous || position - previous > MOST_PLAUSIBLE_GAP) {
            return Move.RESTARTED;
        }
        missedBefore = position - previous - 1;
        framesLost += missedBefore;
        return missedBefore == 0 ? Move.NEXT : Move.LATER;
    }

    /** Number of the newest frame that had one; {@link FpmFrame#NO_SEQUENCE} before. */
    long newest() {
        return newest;
    }

    /** Frames lost between the newest one and the one before it. */
    long missedBefore() {
        return missedBefore;
    }

    /** Frames lost since the stream was first seen; none for what its restarts may have cost. */
    long framesLost() {
        return framesLost;
    }
}
