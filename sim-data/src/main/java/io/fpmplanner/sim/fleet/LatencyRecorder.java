/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import java.util.Arrays;
import java.util.Optional;

/** The latest measured latencies with their times. Not threadsafe. */
final class LatencyRecorder {
    private static final int CAPACITY = 16_384;

    private final long[] timesNanos = new long[CAPACITY];
    private final double[] seconds = new double[CAPACITY];
    private long recorded;

    void add(long nowNanos, double latencySeconds) {
        int slot = (int) (recorded++ % CAPACITY);
        timesNanos[slot] = nowNanos;
        seconds[slot] = latencySeconds;
    }

    /** Measurements taken since a time, at most the latest 16,384; empty if there is none. */
    Optional<LatencySummary> since(long fromNanos) {
        int kept = (int) Math.min(recorded, CAPACITY);
        double[] values = new double[kept];
        int count = 0;
        while (count < kept) {
            int slot = (int) ((recorded - 1 - count) % CAPACITY);
            if (timesNanos[slot] < fromNanos) {
                break;
            }
            values[count++] = seconds[slot];
        }
        if (count == 0) {
            return Optional.empty();
        }
        Arrays.sort(values, 0, count);
        return Optional.of(new LatencySummary(
                count, quantile(values, count, 0.5), quantile(values, count, 0.9), quantile(values, count, 0.99)));
    }

    /** Nearest rank: the smallest value with at least the share q of all at or below it. */
    private static double quantile(double[] sorted, int count, double q) {
        return sorted[Math.max(0, (int) Math.ceil(q * count) - 1)];
    }
}
