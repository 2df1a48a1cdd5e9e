/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** Keeps the {@link LogQuantiles} of each regime true to its latest errors. Not threadsafe; allocates nothing. */
final class ErrorWindows {
    /*
     * Split conformal prediction on a sliding window of past errors of the same regime: an order statistic of the last
     * WINDOW errors covers the next one with the nominal probability if errors are exchangeable. They are not quite
     * (load and engine change), so the level that is looked up follows the hits and misses (Gibbs and Candes 2021,
     * "Adaptive conformal inference under distribution shift"): after each error it moves by RATE * (level - hit),
     * which makes the long-run share right whatever the errors do. It stays near the nominal level: a stretch of equal
     * errors, which hit every interval, must not wind it up for later.
     */
    private static final int WINDOW = 256;

    private static final double RATE = 0.005;
    private static final double LARGEST_SHIFT = 0.1;
    private static final double LARGEST = 3;
    /** The point forecast follows the distribution only once it is known well, and moves slowly. */
    private static final int LEANS_FROM = 30;

    private static final int REFRESH = 8;
    /** Before this many errors the initial curve has a say. */
    private static final int PRIOR_ERRORS = 10;

    /** Errors that stand for those of an earlier life; later ones soon outnumber them. */
    private static final int SEEDED = 64;

    private final SortedWindows recent = new SortedWindows(3, WINDOW);
    private final double[] levels = new double[3 * LogQuantiles.COUNT];
    private final int[] untilRefresh = new int[3];
    private final LogQuantiles prior = new LogQuantiles();

    ErrorWindows() {
        for (int i = 0; i < levels.length; i++) {
            levels[i] = LogQuantiles.level(i % LogQuantiles.COUNT);
        }
    }

    /** Takes in log(measured / predicted) and brings the curve of its regime up to date. */
    void update(StepRegime regime, double logRatio, LogQuantiles curve) {
        int stream = stream(regime);
        recent.add(stream, Finite.clip(logRatio, LARGEST));
        double trust = Finite.min(1, (double) recent.size(stream) / PRIOR_ERRORS);
        if (recent.size(stream) >= LEANS_FROM && --untilRefresh[stream] <= 0) {
            untilRefresh[stream] = REFRESH;
            curve.refreshLean();
        }
        for (int i = 0; i < LogQuantiles.COUNT; i++) {
            int cell = stream * LogQuantiles.COUNT + i;
            double level = LogQuantiles.level(i);
            double shift = levels[cell] - level + RATE * (level - hit(logRatio, curve.value(i), level));
            levels[cell] = level + Finite.clip(shift, LARGEST_SHIFT);
            curve.set(i, trust * recent.quantile(stream, levels[cell]) + (1 - trust) * prior.value(i));
        }
    }

    /** Starts as if so many errors had come that spread as the curve of the regime says. */
    void seed(StepRegime regime, LogQuantiles curve, long errors) {
        int stream = stream(regime);
        for (long i = Math.min(SEEDED, errors), count = i; i > 0; i--) {
            double probability = (i - 0.5) / count;
            double error = curve.at(LogQuantiles.normalQuantile(probability));
            recent.add(stream, Finite.clip(error, LARGEST));
        }
    }

    /** An error at the quantile itself, as of a clockwork engine, is neither a hit nor a miss. */
    /* Where an error lies among the quantiles nobody can foretell: a number, not a branch that is wrong once a frame. */
    private static double hit(double error, double quantile, double level) {
        return error == quantile ? level : LogQuantiles.isBelow(error, quantile);
    }

    private static int stream(StepRegime regime) {
        return switch (regime) {
            case PREFILL -> 0;
            case DECODE -> 1;
            case MIXED -> 2;
        };
    }
}
