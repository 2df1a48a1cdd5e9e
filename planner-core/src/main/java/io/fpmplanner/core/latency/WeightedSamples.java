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

    LatencySpread spread() {
        Integer[] order = new Integer[size];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> values[i]));
        double total = 0;
        double sum = 0;
        for (int i = 0; i < size; i++) {
            total += weights[i];
            sum += weights[i] * values[i];
        }
        return new LatencySpread(sum / total, quantile(order, total, 0.5), quantile(order, total, 0.9));
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
