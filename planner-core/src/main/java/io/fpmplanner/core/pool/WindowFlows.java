/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** Flows of a sliding window of five minutes, its newest part being 30 s. */
final class WindowFlows implements Flows {
    private static final long WINDOW_NANOS = 300_000_000_000L;
    private static final double RECENT_NANOS = 30e9;
    private static final int MAX_TICKS = 1024;
    private static final int NANOS = 0;

    private final RollingWindow ticks;

    WindowFlows(int columns) {
        this.ticks = new RollingWindow(columns, MAX_TICKS, WINDOW_NANOS);
    }

    @Override
    public void add(long nowNanos, long[] row) {
        ticks.add(nowNanos, row);
    }

    @Override
    public double sum(int column) {
        return (double) ticks.sum(column);
    }

    @Override
    public double recentRate(int column) {
        double sum = 0;
        double nanos = 0;
        for (int i = ticks.size() - 1; i >= 0 && nanos < RECENT_NANOS; i--) {
            sum += ticks.value(i, column);
            nanos += ticks.value(i, NANOS);
        }
        return nanos > 0 ? sum * 1e9 / nanos : 0;
    }
}
