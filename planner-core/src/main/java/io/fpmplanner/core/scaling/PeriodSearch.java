/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Finds the periods after which a series of rates resembles itself. Stateless. */
final class PeriodSearch {
    /*
     * The correlation of the newest bins with those one lag before, by lag. A period is a peak of it: no lag within
     * an eighth of it is higher, it stands out from the lowest value at shorter lags (what changes slowly resembles itself at short lags without coming
     * again), and by Fisher's transform it lies so many standard errors above zero that none of the many lags tried
     * would reach it by chance.
     */
    private static final double SIGMAS = 5;
    private static final double RISES_BY = 0.2;
    private static final int NEIGHBOURHOOD = 8;
    private static final int MOST = 4;
    private static final int PAIRS = 2;
    private static final double LEAST_KNOWN = 0.7;

    private PeriodSearch() {}

    /**
     * Lags in bins that look like periods, the shortest first.
     *
     * @param rates by bin, oldest first; NaN where nothing is known
     * @param together how many neighbours were averaged in each
     * @param least shortest lag
     * @param most longest lag
     */
    static int[] lags(double[] rates, int together, int least, int most) {
        int longest = Math.min(most, rates.length / Season.LEAST_HISTORY);
        double[] correlation = new double[longest + longest / NEIGHBOURHOOD + 1];
        Arrays.fill(correlation, Double.NaN);
        double[] lowest = new double[correlation.length];
        double low = 1;
        for (int lag = Math.max(1, least / 3); lag < correlation.length; lag++) {
            correlation[lag] = correlation(rates, lag);
            low = Double.isNaN(correlation[lag]) ? low : Math.min(low, correlation[lag]);
            lowest[lag] = low;
        }
        return IntStream.rangeClosed(least, longest)
                .filter(lag -> isPeak(correlation, lag)
                        && correlation[lag] - lowest[lag] > RISES_BY
                        && isSignificant(correlation[lag], lag / (double) together))
                .limit(MOST)
                .toArray();
    }

    private static boolean isPeak(double[] correlation, int lag) {
        int reach = Math.max(2, lag / NEIGHBOURHOOD);
        for (int near = lag - reach; near <= Math.min(correlation.length - 1, lag + reach); near++) {
            if (Double.isNaN(correlation[lag]) || correlation[near] > correlation[lag]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSignificant(double correlation, double independent) {
        double z = 0.5 * Math.log((1 + correlation) / Math.max(1e-9, 1 - correlation));
        return z * Math.sqrt(Math.max(0, PAIRS * independent - 3)) > SIGMAS;
    }

    /** Of the newest two lags with what lies one lag before; NaN if too little of it is known. */
    private static double correlation(double[] rates, int lag) {
        int from = Math.max(lag, rates.length - PAIRS * lag);
        double sumX = 0;
        double sumY = 0;
        double squaresX = 0;
        double squaresY = 0;
        double products = 0;
        int known = 0;
        for (int bin = from; bin < rates.length; bin++) {
            double x = rates[bin];
            double y = rates[bin - lag];
            if (!Double.isNaN(x + y)) {
                sumX += x;
                sumY += y;
                squaresX += x * x;
                squaresY += y * y;
                products += x * y;
                known++;
            }
        }
        if (known < LEAST_KNOWN * PAIRS * lag) {
            return Double.NaN;
        }
        double both = (squaresX - sumX * sumX / known) * (squaresY - sumY * sumY / known);
        return both > 0 ? (products - sumX * sumY / known) / Math.sqrt(both) : Double.NaN;
    }
}
