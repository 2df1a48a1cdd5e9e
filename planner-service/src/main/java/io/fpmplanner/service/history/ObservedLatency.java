/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.history;

import java.util.Arrays;

/** Quantiles of one latency over what was posted in the last seconds. Not threadsafe; bounded. */
final class ObservedLatency {
    /** More than so many within the window: the newest count. */
    private static final int CAPACITY = 512;

    private static final long WINDOW_MILLIS = 10_000;

    private final long[] atMillis = new long[CAPACITY];
    private final float[] seconds = new float[CAPACITY];
    private final float[] sorted = new float[CAPACITY];
    private long added;

    void add(long nowMillis, double latencySeconds) {
        int slot = (int) (added++ % CAPACITY);
        atMillis[slot] = nowMillis;
        seconds[slot] = (float) latencySeconds;
    }

    /** Fills {@code into} with the quantiles at these probabilities; NaN while nothing was posted lately. */
    void quantiles(long nowMillis, double[] probabilities, double[] into) {
        int recent = 0;
        int held = (int) Math.min(added, CAPACITY);
        for (int i = 0; i < held; i++) {
            if (nowMillis - atMillis[i] <= WINDOW_MILLIS) {
                sorted[recent++] = seconds[i];
            }
        }
        Arrays.sort(sorted, 0, recent);
        for (int i = 0; i < probabilities.length; i++) {
            into[i] = recent == 0 ? Double.NaN : sorted[(int) Math.min(recent - 1, probabilities[i] * recent)];
        }
    }
}
