/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.TokenLengths;

/** Lengths to draw from quickly: evenly likely quantiles, those of the uppermost part finer. Immutable. */
final class LengthTable {
    /*
     * The longest prompts are few, but they make others wait most: of log-normal lengths as in public traces, the longest
     * 64th holds four tenths of the second moment. So that part has as many quantiles as all the rest.
     */
    private static final int SIZE = 64;
    private static final int BITS = 6;
    private static final int LAST = SIZE - 1;

    private final double[] lengths = new double[SIZE];
    private final double[] longest = new double[SIZE];
    private final double[] biased = new double[SIZE];
    private final double[] standard = new double[SIZE];
    private final double[] longestStandard = new double[SIZE];
    private final double mean;

    LengthTable(TokenLengths distribution) {
        double[] quantiles = new double[LAST + SIZE];
        for (int i = 0; i < LAST; i++) {
            quantiles[i] = (i + 0.5) / SIZE;
        }
        for (int i = 0; i < SIZE; i++) {
            quantiles[LAST + i] = (LAST + (i + 0.5) / SIZE) / SIZE;
        }
        distribution.quantiles(quantiles);
        double sum = 0;
        for (int i = 0; i < quantiles.length; i++) {
            sum += quantiles[i] * weight(i);
        }
        /* The outermost quantiles leave out a little of the mean of a heavy tail. */
        double scale = distribution.mean() / sum;
        double squares = 0;
        for (int i = 0; i < quantiles.length; i++) {
            quantiles[i] = Math.max(1, quantiles[i] * scale);
            squares += quantiles[i] * quantiles[i] * weight(i);
        }
        System.arraycopy(quantiles, 0, lengths, 0, LAST);
        System.arraycopy(quantiles, LAST, longest, 0, SIZE);
        lengths[LAST] = longest[0];
        this.mean = distribution.mean();
        fillBiased(quantiles);
        double deviation = Math.sqrt(Math.max(0, squares - mean * mean));
        for (int i = 0; deviation > 0 && i < SIZE; i++) {
            standard[i] = (lengths[i] - mean) / deviation;
            longestStandard[i] = (longest[i] - mean) / deviation;
        }
    }

    private static double weight(int i) {
        return i < LAST ? 1.0 / SIZE : 1.0 / SIZE / SIZE;
    }

    /** Quantiles of the distribution weighted by length. */
    private void fillBiased(double[] quantiles) {
        int from = 0;
        double below = 0;
        for (int i = 0; i < SIZE; i++) {
            double target = (i + 0.5) / SIZE * mean;
            while (from < quantiles.length - 1 && below + quantiles[from] * weight(from) < target) {
                below += quantiles[from] * weight(from);
                from++;
            }
            biased[i] = quantiles[from];
        }
    }

    double mean() {
        return mean;
    }

    double draw(StepSampler random) {
        int index = random.bits(BITS);
        return index < LAST ? lengths[index] : longest[random.bits(BITS)];
    }

    /** The length of one met at a random moment of its life, in which it takes as long as it is. */
    double drawMet(StepSampler random) {
        return biased[random.bits(BITS)];
    }

    /** A length above the given one; twice that if none is. */
    double drawAbove(double length, StepSampler random) {
        int first = 0;
        while (first < LAST && lengths[first] <= length) {
            first++;
        }
        int index = first + (int) (random.uniform() * (SIZE - first));
        return index < LAST ? lengths[index] : longestAbove(length, random);
    }

    private double longestAbove(double length, StepSampler random) {
        int first = 0;
        while (first < SIZE && longest[first] <= length) {
            first++;
        }
        return first == SIZE ? 2 * length : longest[first + (int) (random.uniform() * (SIZE - first))];
    }

    /** A number of mean 0 and deviation 1 with the shape of the distribution; 0 if all are alike. */
    double drawStandard(StepSampler random) {
        int index = random.bits(BITS);
        return index < LAST ? standard[index] : longestStandard[random.bits(BITS)];
    }
}
