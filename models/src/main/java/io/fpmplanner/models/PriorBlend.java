/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** Mixes what a {@link StepTimePrior} says into young predictions. Not threadsafe; copies are independent. */
final class PriorBlend {
    /*
     * The weight of the prior in a regime is the product of
     *
     *  - what is left of it: linear in the frames of the regime, 0 after FADED_FRAMES. A regime that is rare, as
     *    prefill beside decode, is where a prior is worth most and longest;
     *  - its share against the fit, by squared average errors in the regime (Bates and Granger 1969, "The combination
     *    of forecasts");
     *  - whether it holds here at all: full up to a mean error of TRUSTED over all regimes, none from REFUTED on. So
     *    the prior of another engine is refuted by the first decode steps and never asked about prefill.
     *
     * Predictions are mixed geometrically, as errors are relative. Coefficients, weights and tables of the fit never
     * see the prior.
     */
    static final int FADED_FRAMES = 200;

    private static final double TRUSTED = 0.1;
    private static final double REFUTED = 0.25;
    private static final double RATE = 0.05;
    private static final double LARGEST_LOSS = 0.5;
    private static final double SMALLEST_SQUARE = 1e-6;

    private final String name;
    private final StepTimeFit prior;
    private final double[] factors;
    private final double[] lossOwn;
    private final double[] lossPrior;
    private final long[] scored;
    private long scoredInAll;
    private double lossInAll;
    private boolean dismissed;

    PriorBlend(StepTimePrior prior) {
        StepTimeSnapshot snapshot = StepTimeModel.restore(prior.learned()).snapshot();
        this.name = prior.name();
        this.prior = snapshot.fit();
        this.factors = snapshot.factors();
        int regimes = StepRegime.values().length;
        this.lossOwn = new double[regimes];
        this.lossPrior = new double[regimes];
        this.scored = new long[regimes];
    }

    private PriorBlend(PriorBlend other) {
        name = other.name;
        prior = other.prior;
        factors = other.factors;
        lossOwn = other.lossOwn.clone();
        lossPrior = other.lossPrior.clone();
        scored = other.scored.clone();
        scoredInAll = other.scoredInAll;
        lossInAll = other.lossInAll;
        dismissed = other.dismissed;
    }

    PriorBlend copy() {
        return new PriorBlend(this);
    }

    /** The engine has become another one; what the prior says of it is worth nothing any more. */
    void dismiss() {
        dismissed = true;
    }

    /** Weight in [0, 1] in a regime of which the model has learned so many frames. */
    double weight(StepRegime regime, long frames) {
        if (dismissed || frames >= FADED_FRAMES || prior.regime(regime).frames() == 0) {
            return 0;
        }
        double trust = Math.max(0, Math.min(1, (REFUTED - lossInAll) / (REFUTED - TRUSTED)));
        int i = index(regime);
        double own = lossOwn[i] * lossOwn[i];
        double share = scored[i] == 0 ? 1 : own / (own + lossPrior[i] * lossPrior[i] + SMALLEST_SQUARE);
        return trust * share * (1 - (double) frames / FADED_FRAMES);
    }

    /** What the prior says, seconds; {@code x} is scratch. */
    double seconds(StepWorkload step, StepRegime regime, double[] x) {
        return prior.baseSeconds(step, regime, x) * factors[prior.buckets.fine(step, regime)];
    }

    static double mix(double ownSeconds, double priorSeconds, double weight) {
        return ownSeconds * Math.pow(priorSeconds / ownSeconds, weight);
    }

    /** Takes in what was measured where the fit, NaN while it knew nothing, and the prior had said something. */
    void score(StepRegime regime, double ownSeconds, double priorSeconds, double wallTimeSeconds) {
        int i = index(regime);
        double error = loss(priorSeconds, wallTimeSeconds);
        double rate = Math.max(RATE, 1.0 / ++scored[i]);
        lossPrior[i] += rate * (error - lossPrior[i]);
        lossOwn[i] += rate * (loss(ownSeconds, wallTimeSeconds) - lossOwn[i]);
        lossInAll += Math.max(RATE, 1.0 / ++scoredInAll) * (error - lossInAll);
    }

    private static double loss(double seconds, double wallTimeSeconds) {
        return Double.isNaN(seconds)
                ? LARGEST_LOSS
                : Math.min(LARGEST_LOSS, Math.abs(Math.log(wallTimeSeconds / seconds)));
    }

    private static int index(StepRegime regime) {
        return switch (regime) {
            case PREFILL -> 0;
            case DECODE -> 1;
            case MIXED -> 2;
        };
    }

    String name() {
        return name;
    }
}
