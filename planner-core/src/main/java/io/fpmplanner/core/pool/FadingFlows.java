/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** Flows that fade: a few numbers a column, for the thousands of ranks that a pool may have. */
final class FadingFlows implements Flows {
    /* A fading sum of constant tau has the variance of a window of 2 tau: 5 minutes and 60 s here. */
    private static final double LONG_SECONDS = 150;
    private static final double RECENT_SECONDS = 30;
    private static final int NANOS = 0;

    /** Replaced and never written to, since copies share them. */
    private double[] sums;

    private double[] recent;

    FadingFlows(int columns) {
        this(new double[columns], new double[columns]);
    }

    private FadingFlows(double[] sums, double[] recent) {
        this.sums = sums;
        this.recent = recent;
    }

    /** The same flows as they are now. */
    Flows copy() {
        return new FadingFlows(sums, recent);
    }

    @Override
    public void add(long nowNanos, long[] row) {
        double seconds = row[NANOS] * 1e-9;
        double keep = Math.exp(-seconds / LONG_SECONDS);
        double keepRecent = Math.exp(-seconds / RECENT_SECONDS);
        double[] nextSums = new double[sums.length];
        double[] nextRecent = new double[recent.length];
        for (int i = 0; i < nextSums.length; i++) {
            nextSums[i] = keep * sums[i] + row[i];
            nextRecent[i] = keepRecent * recent[i] + row[i];
        }
        sums = nextSums;
        recent = nextRecent;
    }

    @Override
    public double sum(int column) {
        return sums[column];
    }

    @Override
    public double recentRate(int column) {
        return recent[NANOS] > 0 ? recent[column] * 1e9 / recent[NANOS] : 0;
    }
}
