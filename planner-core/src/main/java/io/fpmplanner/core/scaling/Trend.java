/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

/**
 * Whether arrivals rise steadily, rather than having risen once.
 *
 * @param level arrivals at the newest moment, requests/s, less one standard error
 * @param slope rise, requests/s per second, less one standard error where it is of a line; 0 without a trend
 */
record Trend(double level, double slope) {
    /*
     * A line through the newest SPANS seconds, the shortest first, is a trend if its slope stands out from its standard
     * error, more so for short spans since those are tried more often independently, if one step between two levels
     * does not explain the same span better, and if the newest fifth of the span has not fallen behind the line: then the
     * rise is over. Errors are at least those of a Poisson process.
     *
     * Of a sample, neighbouring looks meet many of the same requests and err alike: by the correlation r of neighbouring
     * residuals errors are sqrt((1 + r) / (1 - r)) times as large, as of an autoregression of first order.
     *
     * A rise that has just begun looks like a step. So a line through the newest minute counts too if it is still seen in
     * the newest third of it, or in all since the last change of level where that is less: after a step it is not. Arrivals
     * that are counted scatter about such a line as they must, those told by what is decoded hardly: there its errors are
     * at least those of a compound Poisson process too.
     */
    static final Trend NONE = new Trend(0, 0);

    private static final double[] SPANS = {20, 30, 45, 60, 80, 120, 160};
    private static final double[] T = {5, 4.5, 4, 3.8, 3.6, 3.4, 3.2};
    private static final int FEWEST_TICKS = 6;
    private static final int FEWEST_IN_SPAN = 12;
    private static final double EVEN = 2;
    private static final double BEHIND = 2;
    private static final double YOUNG_SECONDS = 60;
    private static final double YOUNG_T = 3;
    private static final double STILL_VISIBLE_T = 1;
    private static final int FEWEST_YOUNG_TICKS = 8;
    private static final double MOST_ALIKE = 0.8;

    /** Rates of the newest ticks, newest first. Not threadsafe, overwritten tick by tick. */
    static final class Samples {
        final double[] age;
        final double[] rate;
        int size;
        Sight sight = Sight.COUNTED;

        Samples(int capacity) {
            age = new double[capacity];
            rate = new double[capacity];
        }

        /** Ticks within the newest seconds, or as many as there are. */
        private int newest(double seconds) {
            int n = 0;
            while (n < size && age[n] < seconds - 1e-6) {
                n++;
            }
            return n;
        }

        /** Ticks within the newest seconds; 0 if not that much is covered. */
        private int within(double seconds) {
            int n = 0;
            while (n < size && age[n] < seconds) {
                n++;
            }
            return n < size ? n : size > 0 && age[size - 1] >= 0.9 * seconds ? size : 0;
        }
    }

    /**
     * Looks for a rise.
     *
     * @param variance least variance of the rate of one tick
     * @param sinceChange ticks since the level changed last
     */
    static Trend of(Samples samples, double variance, int sinceChange) {
        for (int i = 0; i < SPANS.length; i++) {
            int n = samples.within(SPANS[i]);
            if (n >= FEWEST_IN_SPAN) {
                Line line = Line.through(samples, n, variance);
                if (line.slope() > T[i] * line.slopeError() && line.isBetterThanAStep(samples, n)) {
                    return line.isOver(samples, n)
                            ? NONE
                            : new Trend(
                                    Math.max(0, line.atNewest() - line.endError()), line.slope() - line.slopeError());
                }
            }
        }
        return young(samples, samples.sight == Sight.DECODED ? variance : 0, sinceChange);
    }

    private static Trend young(Samples samples, double variance, int sinceChange) {
        int all = samples.newest(YOUNG_SECONDS);
        int third = samples.newest(YOUNG_SECONDS / 3);
        if (all < FEWEST_YOUNG_TICKS || all <= third) {
            return NONE;
        }
        Line line = Line.through(samples, all, variance);
        Line newest = Line.through(samples, Math.min(third, Math.max(FEWEST_TICKS, sinceChange)), variance);
        boolean rises =
                line.slope() > YOUNG_T * line.slopeError() && newest.slope() > STILL_VISIBLE_T * newest.slopeError();
        return rises
                ? new Trend(Math.max(0, line.atNewest() - line.endError()), Math.min(line.slope(), newest.slope()))
                : NONE;
    }

    private record Line(
            double slope, double slopeError, double atNewest, double endError, double squares, double variance) {
        static Line through(Samples samples, int n, double leastVariance) {
            double meanAge = 0;
            double meanRate = 0;
            for (int i = 0; i < n; i++) {
                meanAge += samples.age[i] / n;
                meanRate += samples.rate[i] / n;
            }
            double ages = 0;
            double products = 0;
            double rates = 0;
            for (int i = 0; i < n; i++) {
                double da = samples.age[i] - meanAge;
                double dr = samples.rate[i] - meanRate;
                ages += da * da;
                products += da * dr;
                rates += dr * dr;
            }
            // Ages grow into the past.
            double slope = -products / ages;
            double squares = Math.max(0, rates - products * products / ages);
            double variance = Math.max(leastVariance, squares / Math.max(1, n - 2));
            double atNewest = meanRate + slope * meanAge;
            double larger = samples.sight == Sight.SAMPLED ? likeness(samples, n, slope, atNewest) : 1;
            double endError = larger * Math.sqrt(variance * (1.0 / n + meanAge * meanAge / ages));
            return new Line(slope, larger * Math.sqrt(variance / ages), atNewest, endError, squares, variance);
        }

        /** How many times larger errors of the line are, for its residuals follow each other. */
        private static double likeness(Samples samples, int n, double slope, double atNewest) {
            double products = 0;
            double squares = 0;
            double before = 0;
            for (int i = 0; i < n; i++) {
                double error = samples.rate[i] - atNewest + slope * samples.age[i];
                products += error * before;
                squares += error * error;
                before = error;
            }
            // Fitting a line makes neighbours look less alike than they are.
            double alike = squares > 0 ? Math.max(0, Math.min(MOST_ALIKE, products / squares + 1.0 / n)) : 0;
            return Math.sqrt((1 + alike) / (1 - alike));
        }

        boolean isBetterThanAStep(Samples samples, int n) {
            double all = 0;
            for (int i = 0; i < n; i++) {
                all += samples.rate[i];
            }
            double squaresOfAll = 0;
            for (int i = 0; i < n; i++) {
                double error = samples.rate[i] - all / n;
                squaresOfAll += error * error;
            }
            double newer = 0;
            double gain = 0;
            for (int i = 0; i < n - 1; i++) {
                newer += samples.rate[i];
                int count = i + 1;
                double apart = newer / count - (all - newer) / (n - count);
                gain = Math.max(gain, apart * apart * count * (n - count) / n);
            }
            return squares <= squaresOfAll - gain + EVEN * variance;
        }

        boolean isOver(Samples samples, int n) {
            int newest = Math.max(3, n / 5);
            double behind = 0;
            for (int i = 0; i < newest; i++) {
                behind += (atNewest - slope * samples.age[i] - samples.rate[i]) / newest;
            }
            return behind > BEHIND * Math.sqrt(variance / newest);
        }
    }
}
