/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

/**
 * A histogram of durations up to about an hour with steps of 3 %. Written by one thread, read by another once that one has
 * nothing more to add.
 */
final class Latencies {
    private static final int STEPS_PER_OCTAVE_BITS = 5;
    private static final int STEPS = 1 << STEPS_PER_OCTAVE_BITS;
    private static final int OCTAVES = 42;

    private final long[] counts = new long[OCTAVES * STEPS];
    private long count;

    /** Adds one; below zero counts as zero, for two processes read the clock. */
    void add(long nanos) {
        counts[place(Math.max(0, nanos))]++;
        count++;
    }

    private static int place(long nanos) {
        if (nanos < STEPS) {
            return (int) nanos;
        }
        int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - STEPS_PER_OCTAVE_BITS;
        int step = (int) (nanos >>> octave) - STEPS;
        return Math.min(OCTAVES * STEPS - 1, (octave + 1) * STEPS + step);
    }

    private static long least(int place) {
        int octave = place / STEPS - 1;
        return octave < 0 ? place : (long) (STEPS + place % STEPS) << octave;
    }

    long count() {
        return count;
    }

    /** The duration that so large a share does not exceed, milliseconds; NaN without any. */
    double percentileMillis(double share) {
        long rank = (long) Math.ceil(share * count);
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank && seen > 0) {
                return least(i + 1) / 1e6;
            }
        }
        return Double.NaN;
    }
}
