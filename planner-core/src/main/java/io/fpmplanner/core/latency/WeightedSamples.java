/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import java.util.Arrays;
import java.util.Comparator;

/** A distribution as weighted points. Not threadsafe. */
final class WeightedSamples {
    private static final double ROUNDING = 1e-12;

    private double[] values = new double[64];
    private double[] weights = new double[64];
    private int size;

    void add(double value, double weight) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
            weights = Arrays.copyOf(weights, 2 * size);
        }
        values[size] = value;
        weights[size] = weight;
        size++;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void addAll(WeightedSamples other) {
        for (int i = 0; i < other.size; i++) {
            add(other.values[i], other.weights[i]);
        }
    }

    /** Adds the mean of others with all their weight. */
    void addMean(WeightedSamples others) {
        if (!others.isEmpty()) {
            add(others.mean(), others.weight());
        }
    }

    double weight() {
        double total = 0;
        for (int i = 0; i < size; i++) {
            total += weights[i];
        }
        return total;
    }

    double mean() {
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += weights[i] * values[i];
        }
        return sum / weight();
    }

    /** Share of the weight at values up to the bound, 0 to 1. */
    double shareWithin(double bound) {
        double within = 0;
        for (int i = 0; i < size; i++) {
            within += values[i] <= bound ? weights[i] : 0;
        }
        return Math.min(1, within / weight());
    }

    LatencySpread spread() {
        Integer[] order = new Integer[size];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> values[i]));
        double total = weight();
        return new LatencySpread(
                mean(), quantile(order, total, 0.5), quantile(order, total, 0.9), quantile(order, total, 0.99));
    }

    /** The smallest value that at least that share of the weight does not exceed: mixtures have gaps, which stay gaps. */
    private double quantile(Integer[] order, double total, double probability) {
        double target = probability * total * (1 - ROUNDING);
        double below = 0;
        double value = 0;
        for (Integer i : order) {
            value = values[i];
            below += weights[i];
            if (below >= target) {
                break;
            }
        }
        return value;
    }
}
