/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/**
 * Exponential averages of many small streams that follow an outlier only a little and a lasting change fast. Not
 * threadsafe; allocates nothing after construction.
 */
final class ClippedAverages {
    /*
     * Each value moves its average by a share of the distance, clipped (the M-estimate of location of Huber 1964 as a
     * recursion). Against normal noise it scatters less than a median of the same memory, whose standard deviation is
     * 1.25 times that of a mean, and it needs one number a stream instead of a window.
     *
     * Clipping makes it slow after a large step, so every further value beyond the limit on the same side, from
     * runLength in a row on, doubles the limit, and counts in half. Stragglers rarely come in such rows.
     *
     * The first values count as in a plain mean, with a wider limit.
     */
    private static final int FIRST_VALUES = 12;

    private static final double FIRST_LIMIT = 0.2;
    private static final double RATE_IN_RUN = 0.5;
    private static final int MOST_DOUBLINGS = 6;

    private final double rate;
    private final int runLength;
    private final double[] averages;
    /** Values in a row beyond the limit: above 0 if they lay above, below 0 if below. */
    private final byte[] runs;

    /**
     * @param rate share of the distance that a value moves its average in the long run, in (0, 1)
     * @param runLength values in a row beyond the limit from which on a change is believed
     */
    ClippedAverages(int streams, double rate, int runLength) {
        this.rate = rate;
        this.runLength = runLength;
        this.averages = new double[streams];
        this.runs = new byte[streams];
    }

    double of(int stream) {
        return averages[stream];
    }

    void set(int stream, double average) {
        averages[stream] = average;
        runs[stream] = 0;
    }

    /**
     * Takes in a value.
     *
     * @param count values the stream has had, this one included
     * @param limit distance beyond which a value is clipped, &gt; 0
     */
    void add(int stream, double value, long count, double limit) {
        double distance = value - averages[stream];
        int doublings = Math.min(MOST_DOUBLINGS, countRun(stream, distance, limit) - runLength + 1);
        double share = Finite.max(doublings > 0 ? RATE_IN_RUN : rate, 1.0 / (count + 1));
        double reach = doublings > 0 ? limit * (1 << doublings) : limit;
        if (count < FIRST_VALUES) {
            reach = Finite.max(reach, FIRST_LIMIT);
        }
        averages[stream] += share * Finite.clip(distance, reach);
    }

    private int countRun(int stream, double distance, double limit) {
        int run = runs[stream];
        if (Math.abs(distance) <= limit) {
            run = 0;
        } else if (distance > 0) {
            run = Math.min(Byte.MAX_VALUE, Math.max(0, run) + 1);
        } else {
            run = Math.max(-Byte.MAX_VALUE, Math.min(0, run) - 1);
        }
        runs[stream] = (byte) run;
        return Math.abs(run);
    }
}
