/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.TokenLengths;

/** Lengths to draw from quickly: evenly likely quantiles. Immutable. */
final class LengthTable {
    private static final int SIZE = 64;
    private static final int BITS = 6;

    private final double[] lengths = new double[SIZE];
    private final double[] biased = new double[SIZE];
    private final double mean;
    private final double deviation;

    LengthTable(TokenLengths distribution) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < SIZE; i++) {
            lengths[i] = distribution.quantile((i + 0.5) / SIZE);
            sum += lengths[i];
        }
        /* The outermost of 64 quantiles leave out a little of the mean of a heavy tail. */
        double scale = distribution.mean() * SIZE / sum;
        for (int i = 0; i < SIZE; i++) {
            lengths[i] = Math.max(1, lengths[i] * scale);
            squares += lengths[i] * lengths[i];
        }
        this.mean = distribution.mean();
        this.deviation = Math.sqrt(Math.max(0, squares / SIZE - mean * mean));
        fillBiased(sum * scale);
    }

    /** Quantiles of the distribution weighted by length. */
    private void fillBiased(double total) {
        int from = 0;
        double below = 0;
        for (int i = 0; i < SIZE; i++) {
            double target = (i + 0.5) / SIZE * total;
            while (from < SIZE - 1 && below + lengths[from] < target) {
                below += lengths[from++];
            }
            biased[i] = lengths[from];
        }
    }

    double mean() {
        return mean;
    }

    double draw(StepSampler random) {
        return lengths[random.bits(BITS)];
    }

    /** The length of one met at a random moment of its life, in which it takes as long as it is. */
    double drawMet(StepSampler random) {
        return biased[random.bits(BITS)];
    }

    /** A length above the given one; twice that if none is. */
    double drawAbove(double length, StepSampler random) {
        int first = 0;
        while (first < SIZE && lengths[first] <= length) {
            first++;
        }
        return first == SIZE ? 2 * length : lengths[first + (int) (random.uniform() * (SIZE - first))];
    }

    /** A number of mean 0 and deviation 1 with the shape of the distribution; 0 if all are alike. */
    double drawStandard(StepSampler random) {
        return deviation <= 0 ? 0 : (draw(random) - mean) / deviation;
    }
}
