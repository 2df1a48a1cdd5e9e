/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.List;

/** Blends two forecasts and zero by how well each did lately. Not threadsafe. */
final class ExpertBlend {
    /* Losses are compared relative to the best one, so that the blend does not depend on how noisy an engine is. */
    private static final double RATE = 0.01;

    private static final double LARGEST_LOSS = 0.5;
    private static final double SMALLEST_LOSS = 1e-3;
    private static final double SHARPNESS = 50;

    private double lossA;
    private double lossB;
    private double lossZero;
    private double weightA = 1.0 / 3;
    private double weightB = 1.0 / 3;

    List<Double> losses() {
        return List.of(lossA, lossB, lossZero);
    }

    void load(List<Double> losses) {
        lossA = losses.get(0);
        lossB = losses.get(1);
        lossZero = losses.get(2);
        weigh();
    }

    double of(double a, double b) {
        return weightA * a + weightB * b;
    }

    /** Takes in what the two had forecast, and what came. */
    void score(double a, double b, double value) {
        lossA += RATE * (loss(a, value) - lossA);
        lossB += RATE * (loss(b, value) - lossB);
        lossZero += RATE * (loss(0, value) - lossZero);
        weigh();
    }

    private void weigh() {
        double best = Finite.min(lossZero, Finite.min(lossA, lossB));
        double sharpness = SHARPNESS / Finite.max(SMALLEST_LOSS, best);
        double shareA = share(sharpness, best, lossA);
        double shareB = share(sharpness, best, lossB);
        double sum = shareA + shareB + share(sharpness, best, lossZero);
        weightA = shareA / sum;
        weightB = shareB / sum;
    }

    /** The best one's share is 1, which need not be worked out. */
    private static double share(double sharpness, double best, double loss) {
        return loss == best ? 1 : Math.exp(sharpness * (best - loss));
    }

    private static double loss(double forecast, double value) {
        return Finite.min(LARGEST_LOSS, Math.abs(forecast - value));
    }
}
