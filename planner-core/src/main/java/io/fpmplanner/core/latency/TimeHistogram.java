/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.models.StepRegime;
import java.util.Arrays;
import java.util.Optional;

/** A distribution of durations in bins of 1 %, from a microsecond to a day. Allocates once. Not threadsafe. */
public final class TimeHistogram {
    private static final double SMALLEST_SECONDS = 1e-6;
    private static final double LARGEST_SECONDS = 1e5;
    private static final double BINS_PER_LOG = 100;
    private static final int BINS = (int) Math.ceil(BINS_PER_LOG * Math.log(LARGEST_SECONDS / SMALLEST_SECONDS)) + 1;

    private final double[] weights = new double[BINS];
    private double total;
    private double sum;
    /** All weight lies in bins from here on and before the end. */
    private int from = BINS;

    private int end;

    /** Adds a duration; those outside the range count at its ends. */
    public void add(double seconds, double weight) {
        int bin = bin(seconds);
        weights[bin] += weight;
        cover(bin, bin + 1);
        total += weight;
        sum += weight * seconds;
    }

    private void cover(int first, int until) {
        from = Math.min(from, first);
        end = Math.max(end, until);
    }

    private static int bin(double seconds) {
        if (!(seconds > SMALLEST_SECONDS)) {
            return 0;
        }
        return Math.min(BINS - 1, (int) (BINS_PER_LOG * Math.log(seconds / SMALLEST_SECONDS)));
    }

    /** Adds all of another. */
    public void addAll(TimeHistogram other) {
        for (int i = other.from; i < other.end; i++) {
            weights[i] += other.weights[i];
        }
        cover(other.from, other.end);
        total += other.total;
        sum += other.sum;
    }

    public boolean isEmpty() {
        return total <= 0;
    }

    /** Total weight. */
    public double weight() {
        return total;
    }

    /** NaN if empty. */
    public double meanSeconds() {
        return sum / total;
    }

    /** Share of the weight up to the bound, 0 to 1; NaN if empty. */
    public double shareWithin(double seconds) {
        int last = bin(seconds);
        double below = 0;
        for (int i = from; i < last; i++) {
            below += weights[i];
        }
        double place = BINS_PER_LOG * Math.log(Math.max(seconds, SMALLEST_SECONDS) / SMALLEST_SECONDS) - last;
        return Math.min(1, (below + Math.max(0, Math.min(1, place)) * weights[last]) / total);
    }

    /** The duration that a share of the weight does not exceed, seconds; NaN if empty. */
    public double quantileSeconds(double probability) {
        if (isEmpty()) {
            return Double.NaN;
        }
        double target = probability * total;
        double below = 0;
        for (int i = from; i < end; i++) {
            if (weights[i] > 0 && below + weights[i] >= target) {
                return SMALLEST_SECONDS * Math.exp((i + (target - below) / weights[i]) / BINS_PER_LOG);
            }
            below += weights[i];
        }
        return LARGEST_SECONDS;
    }

    /** Mean and percentiles; empty if the histogram is. */
    public Optional<LatencySpread> spread() {
        return spread(0);
    }

    /** The same with percentiles at probabilities moved by so much; the last only by a tenth of it. */
    public Optional<LatencySpread> spread(double moved) {
        return isEmpty()
                ? Optional.empty()
                : Optional.of(new LatencySpread(
                        meanSeconds(),
                        quantileSeconds(0.5 + moved),
                        quantileSeconds(0.9 + moved),
                        quantileSeconds(0.99 + 0.1 * moved)));
    }

    /** This distribution with each duration multiplied by each of the evenly likely factors. */
    public TimeHistogram times(StepSampler sampler, StepRegime regime) {
        TimeHistogram product = new TimeHistogram();
        int levels = StepSampler.levels();
        int[] shift = new int[levels];
        for (int level = 0; level < levels; level++) {
            shift[level] = (int) Math.round(BINS_PER_LOG * Math.log(sampler.factor(regime, level)));
        }
        for (int i = from; i < end; i++) {
            if (weights[i] > 0) {
                for (int level = 0; level < levels; level++) {
                    int bin = Math.max(0, Math.min(BINS - 1, i + shift[level]));
                    product.weights[bin] += weights[i] / levels;
                    product.cover(bin, bin + 1);
                }
            }
        }
        product.total = total;
        product.sum = sum;
        return product;
    }

    public void clear() {
        Arrays.fill(weights, 0);
        from = BINS;
        end = 0;
        total = 0;
        sum = 0;
    }
}
