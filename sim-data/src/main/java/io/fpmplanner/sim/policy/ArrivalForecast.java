/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** Forecast of arrivals from counts in bins of equal length. Not threadsafe. */
final class ArrivalForecast {
    /*
     * Public description of the forecaster of the published MPC: an exponentially weighted mean that begins anew when a
     * count is 2.5 Poisson standard deviations off, and a trend only where its slope exceeds two standard errors. The weight
     * of 0.3 and the six bins of the trend are ours.
     */
    private static final double WEIGHT = 0.3;
    private static final double RESET_DEVIATIONS = 2.5;
    private static final double TREND_ERRORS = 2;
    private static final int TREND_BINS = 6;
    /** Standard normal deviate of the 80th percentile. */
    private static final double UPPER_DEVIATE = 0.8416;

    private final double binSeconds;
    private final Deque<Double> bins = new ArrayDeque<>();
    private double level = Double.NaN;

    ArrivalForecast(double binSeconds) {
        this.binSeconds = binSeconds;
    }

    void add(double arrivals) {
        if (Double.isNaN(level) || Math.abs(arrivals - level) > RESET_DEVIATIONS * Math.sqrt(Math.max(1, level))) {
            level = arrivals;
            bins.clear();
        } else {
            level += WEIGHT * (arrivals - level);
        }
        bins.addLast(arrivals);
        if (bins.size() > TREND_BINS) {
            bins.removeFirst();
        }
    }

    /** Expected requests per second {@code aheadBins} bins from now. */
    double mean(double aheadBins) {
        return Math.max(0, level + slope() * aheadBins) / binSeconds;
    }

    /** 80th percentile of the requests per second {@code aheadBins} bins from now. */
    double upper(double aheadBins) {
        double expected = mean(aheadBins) * binSeconds;
        return (expected + UPPER_DEVIATE * Math.sqrt(Math.max(1, expected))) / binSeconds;
    }

    /** Least-squares slope in arrivals per bin, 0 unless significant. */
    private double slope() {
        int n = bins.size();
        if (n < 4) {
            return 0;
        }
        double meanX = (n - 1) / 2.0;
        double meanY = bins.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        double xx = 0;
        double xy = 0;
        double yy = 0;
        Iterator<Double> values = bins.iterator();
        for (int i = 0; i < n; i++) {
            double y = values.next() - meanY;
            xx += (i - meanX) * (i - meanX);
            xy += (i - meanX) * y;
            yy += y * y;
        }
        double slope = xy / xx;
        double residual = Math.max(0, yy - slope * xy);
        // Counts scatter by Poisson at least, however straight a few of them happen to lie.
        double variance = Math.max(residual / (n - 2), Math.max(1, meanY));
        return Math.abs(slope) > TREND_ERRORS * Math.sqrt(variance / xx) ? slope : 0;
    }
}
