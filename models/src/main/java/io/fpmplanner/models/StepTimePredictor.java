/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.stream.IntStream;

/**
 * Answers for one thread from a {@link StepTimeSnapshot}. Not threadsafe; allocates nothing per call.
 *
 * <p>Answers are finite and above 0 for every step that is not empty. While nothing at all was learned ({@link
 * StepTimeSnapshot#evidence()} is COLD) they throw {@link IllegalStateException}; a regime that is cold beside a learned
 * one borrows from it. An empty step throws {@link IllegalArgumentException}.
 */
public final class StepTimePredictor {
    /*
     * Beyond the range seen, the logarithm of the answer gets a normal error of EXTRAPOLATION_SPREAD per factor e of
     * excess. Trained on recorded batches up to 16 and asked for 25 to 32, the median error was 1 to 2 % on dense models
     * and 20 % on the hardest mixture of experts, where more experts are read with every request.
     */
    private static final double EXTRAPOLATION_SPREAD = 0.25;

    /** Levels of {@link #evenQuantileSeconds}. */
    public static final int EVEN_LEVELS = 64;

    private static final double[] NORMAL_AT_EVEN_LEVELS = IntStream.range(0, EVEN_LEVELS)
            .mapToDouble(i -> LogQuantiles.normalQuantile((i + 0.5) / EVEN_LEVELS))
            .toArray();

    private final StepTimeFit fit;
    private final double[] factors;
    private final double[] x = new double[Feature.COUNT];

    StepTimePredictor(StepTimeFit fit, double[] factors) {
        this.fit = fit;
        this.factors = factors;
    }

    /** As {@link StepTimeSnapshot#evidence(StepWorkload)}. */
    public Evidence evidence(StepWorkload step) {
        requireStep(step);
        return fit.evidence(step);
    }

    /** The time that half of such steps stay below, seconds. For ITL and other single steps. */
    public double medianSeconds(StepWorkload step) {
        return centreSeconds(step)
                * Math.exp(fit.regime(step.regime()).quantiles().at(0));
    }

    /** The fit and its correction, from which the distribution of the regime departs. */
    private double centreSeconds(StepWorkload step) {
        requireStep(step);
        requireLearned(fit);
        StepRegime regime = step.regime();
        double own = fit.baseSeconds(step, regime, x) * factors[fit.buckets.fine(step, regime)];
        return fit.blend(step, regime, own, x);
    }

    /** The mean time of such steps, seconds. For sums over many steps, such as TTFT: medians add up to too little. */
    public double meanSeconds(StepWorkload step) {
        return centreSeconds(step) * fit.regime(step.regime()).meanFactor();
    }

    /**
     * The time that a share {@code probability} of such steps stays below, seconds.
     *
     * @param probability in (0, 1); accurate between 0.005 and 0.995
     */
    public double quantileSeconds(StepWorkload step, double probability) {
        requireProbability(probability);
        double normal = LogQuantiles.normalQuantile(probability);
        double log = fit.regime(step.regime()).quantiles().at(normal)
                + normal * EXTRAPOLATION_SPREAD * Math.log(fit.seen.excess(step));
        return centreSeconds(step) * Math.exp(log);
    }

    /**
     * {@link #quantileSeconds} at the middles of so many evenly likely levels as the array holds.
     *
     * @param into {@value #EVEN_LEVELS} numbers, which are overwritten, ascending
     */
    public void evenQuantileSeconds(StepWorkload step, double[] into) {
        LogQuantiles quantiles = fit.regime(step.regime()).quantiles();
        double centre = centreSeconds(step);
        double excess = Math.log(fit.seen.excess(step));
        for (int i = 0; i < EVEN_LEVELS; i++) {
            double normal = NORMAL_AT_EVEN_LEVELS[i];
            into[i] = centre * Math.exp(quantiles.at(normal) + normal * EXTRAPOLATION_SPREAD * excess);
        }
    }

    static void requireStep(StepWorkload step) {
        if (step.isEmpty()) {
            throw new IllegalArgumentException("a step without prefill and decode takes no time to predict");
        }
    }

    static void requireProbability(double probability) {
        if (!(probability > 0 && probability < 1)) {
            throw new IllegalArgumentException("probability must lie in (0, 1), was " + probability);
        }
    }

    static void requireLearned(StepTimeFit fit) {
        if (!fit.canPredict()) {
            throw new IllegalStateException("nothing was learned yet: evidence is COLD");
        }
    }
}
