/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import java.util.List;

/**
 * What a season lets expect, as seen from a moment. Immutable.
 *
 * @param periodSeconds after which arrivals come again
 * @param firstSeconds when the first rate is expected, from the moment on
 * @param stepSeconds from one rate to the next
 * @param rates requests/s; NaN where nothing is known
 * @param aheadSeconds how far ahead requests are waited for: a cold start
 * @param deviation standard deviation of what comes from what was expected, requests/s
 */
record SeasonOutlook(
        double periodSeconds,
        double firstSeconds,
        double stepSeconds,
        List<Double> rates,
        double aheadSeconds,
        double deviation) {
    private static final int LOOKS = 16;

    /** Requests/s at a time from the moment on; 0 where nothing is expected or known. */
    double requestsPerSecond(double secondsFromNow) {
        double position = Math.max(0, Math.min(rates.size() - 1.0, (secondsFromNow - firstSeconds) / stepSeconds));
        int before = (int) position;
        int after = Math.min(rates.size() - 1, before + 1);
        double part = position - before;
        double rate = part == 0 ? rates.get(before) : (1 - part) * rates.get(before) + part * rates.get(after);
        return Double.isNaN(rate) ? 0 : rate;
    }

    /** Whether it expects a request within a cold start. */
    boolean expectsSome() {
        double expected = 0;
        for (int look = 0; look < LOOKS; look++) {
            expected += requestsPerSecond((look + 0.5) * aheadSeconds / LOOKS) * aheadSeconds / LOOKS;
        }
        return expected >= 1;
    }

    /** The same with each rate multiplied and something added. */
    SeasonOutlook changed(double factor, double added) {
        return new SeasonOutlook(
                periodSeconds,
                firstSeconds,
                stepSeconds,
                rates.stream().map(rate -> factor * rate + added).toList(),
                aheadSeconds,
                factor * deviation);
    }
}
