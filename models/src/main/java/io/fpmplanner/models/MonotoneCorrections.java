/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.Arrays;

/** Corrections for what-if questions: those of the residual table, changed so that more load never takes less time. */
final class MonotoneCorrections {
    /*
     * The table corrects each bucket by itself, so its factors jump from bucket to bucket and know nothing of buckets
     * not met. A search for the largest batch within an objective, or a query at twice the batch seen, would run over
     * such jumps. So per regime the corrected times at the borders of neighbouring buckets are fitted by the nearest
     * sequence that never falls, weighted by frames and recency (pool adjacent violators, Ayer et al. 1955). A factor may fall
     * from one bucket to the next by as much as the uncorrected time grows between them at least: for decode batches
     * of any common context length that is the smaller of the growth at context 0 and that of the batch itself.
     * A factor beyond e^+-1 is no property of the engine but time booked on a neighbouring step; it is held there.
     * A correction of few frames is taken at a part of its value, or one stalled step would slow all larger batches.
     * A bucket not met takes the factor of the next smaller one, capped where it would overtake the next larger one.
     */
    private static final double LARGEST = 1;
    /** Frames a bucket needs before its correction is taken at full value. */
    private static final double TRUSTED_FRAMES = 8;
    /** A bucket met so many frames ago weighs half as much as one met just now. */
    private static final double HALF_WEIGHT_AGE = 300;

    private final StepTimeFit fit;

    private final ResidualTable residuals;
    private final double[] factors;

    private MonotoneCorrections(StepTimeFit fit, ResidualTable residuals) {
        this.fit = fit;
        this.residuals = residuals;
        this.factors = new double[fit.buckets.fineCount()];
        Arrays.fill(factors, 1);
    }

    /** One factor a fine bucket. */
    static double[] of(StepTimeFit fit, ResidualTable residuals) {
        MonotoneCorrections corrections = new MonotoneCorrections(fit, residuals);
        for (StepRegime regime : StepRegime.values()) {
            int[] sequence = fit.buckets.ascending(regime);
            corrections.correct(sequence, regime, corrections.logGrowth(sequence, regime));
        }
        return corrections.factors;
    }

    /** Per place of the sequence the least log growth of uncorrected times since the first place. */
    private double[] logGrowth(int[] sequence, StepRegime regime) {
        double[] growth = new double[sequence.length];
        if (regime != StepRegime.DECODE) {
            return growth;
        }
        GraphSizes sizes = fit.buckets.graphSizes();
        StepWorkload step = new StepWorkload();
        double[] x = new double[Feature.COUNT];
        for (int i = 1; i < sequence.length; i++) {
            growth[i] = growth[i - 1];
            if (i < sizes.count()) {
                double batch = sizes.size(i - 1);
                double before = fit.baseSeconds(step.clear().decode(batch, 0, 0), regime, x);
                double after = fit.baseSeconds(step.clear().decode(batch + 1, 0, 0), regime, x);
                growth[i] += Math.log(Math.min(after / before, (batch + 1) / batch));
            }
        }
        return growth;
    }

    private void correct(int[] sequence, StepRegime regime, double[] growth) {
        int[] met = new int[sequence.length];
        int count = 0;
        for (int place = 0; place < sequence.length; place++) {
            if (residuals.size(sequence[place]) > 0) {
                met[count++] = place;
            }
        }
        double[] times = neverFalling(sequence, regime, Arrays.copyOf(met, count), growth);
        for (int k = 0; k < count; k++) {
            int start = k == 0 ? 0 : met[k];
            int end = k + 1 == count ? sequence.length : met[k + 1];
            double limit = k + 1 == count ? Double.POSITIVE_INFINITY : times[k + 1];
            for (int place = start; place < end; place++) {
                double time = Math.min(times[k] + growth[place] - growth[met[k]], limit);
                factors[sequence[place]] = Math.exp(time - growth[place]);
            }
        }
    }

    /** Log times at the places met, relative to the uncorrected time of the first place. */
    private double[] neverFalling(int[] sequence, StepRegime regime, int[] met, double[] growth) {
        double[] level = new double[met.length];
        double[] weight = new double[met.length];
        int[] length = new int[met.length];
        int blocks = 0;
        for (int place : met) {
            int bucket = sequence[place];
            double trust = Math.min(1, residuals.size(bucket) / TRUSTED_FRAMES);
            double log = trust * residuals.log(bucket, regime);
            level[blocks] = Math.max(-LARGEST, Math.min(LARGEST, log)) + growth[place];
            weight[blocks] = residuals.size(bucket) / (1 + residuals.age(bucket) / HALF_WEIGHT_AGE);
            length[blocks++] = 1;
            while (blocks > 1 && level[blocks - 2] > level[blocks - 1]) {
                blocks--;
                weight[blocks - 1] += weight[blocks];
                level[blocks - 1] += weight[blocks] / weight[blocks - 1] * (level[blocks] - level[blocks - 1]);
                length[blocks - 1] += length[blocks];
            }
        }
        double[] times = new double[met.length];
        for (int block = 0, k = 0; block < blocks; k += length[block++]) {
            Arrays.fill(times, k, k + length[block], level[block]);
        }
        return times;
    }
}
