/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.Arrays;

/** Textbook recursive least squares with forgetting, on the covariance: no signs, weights, robustness or tables. */
final class PlainLeastSquares {
    private static final int COLUMNS = Feature.COUNT;
    private static final double FORGETTING = 0.9995;
    private static final double INITIAL_COVARIANCE = 100;
    /** Keeps the covariance of columns that are never on from growing without bound. */
    private static final double LARGEST_COVARIANCE = 1e6;

    /** Upper triangle, row after row. */
    private final double[] covariance = new double[COLUMNS * (COLUMNS + 1) / 2];
    private final double[] coefficients = new double[COLUMNS];
    private final double[] gain = new double[COLUMNS];

    PlainLeastSquares() {
        for (int i = 0, at = 0; i < COLUMNS; at += COLUMNS - i++) {
            covariance[at] = INITIAL_COVARIANCE;
        }
    }

    double predict(double[] x) {
        double sum = 0;
        for (int i = 0; i < COLUMNS; i++) {
            sum += x[i] * coefficients[i];
        }
        return sum;
    }

    void update(double[] x, double y) {
        Arrays.fill(gain, 0);
        for (int i = 0, at = 0; i < COLUMNS; i++) {
            double sum = gain[i] + covariance[at++] * x[i];
            for (int j = i + 1; j < COLUMNS; j++) {
                double value = covariance[at++];
                sum += value * x[j];
                gain[j] += value * x[i];
            }
            gain[i] = sum;
        }
        double variance = FORGETTING;
        for (int i = 0; i < COLUMNS; i++) {
            variance += gain[i] * x[i];
        }
        double error = y - predict(x);
        double scale = 1 / variance;
        double growth = covariance[0] > LARGEST_COVARIANCE ? 1 : 1 / FORGETTING;
        for (int i = 0, at = 0; i < COLUMNS; i++) {
            double scaled = gain[i] * scale;
            coefficients[i] += scaled * error;
            for (int j = i; j < COLUMNS; j++, at++) {
                covariance[at] = growth * (covariance[at] - scaled * gain[j]);
            }
        }
    }
}
