/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.ArrayList;
import java.util.List;

/**
 * Weighted least squares over a stream, with exponential forgetting and non-negative coefficients.
 *
 * <p>Minimises {@code sum_t f^(n-t) w_t (y_t - x_t'c)^2 + sum_j (ridge A_jj + prior) c_j^2} over {@code c >= 0}, where {@code A}
 * is the weighted sum of {@code x x'}. Not threadsafe. {@link #add} and {@link #solve} allocate nothing.
 */
final class ForgettingLeastSquares {
    /*
     * Information form: A = sum w x x', b = sum w y x. Instead of multiplying A and b by f at every frame, the weight
     * of the newest frame grows by 1/f; both are scaled down together when it has grown by 1e6. So only the entries
     * of columns that are not 0 are touched (a decode step leaves half of them alone).
     *
     * Coordinate descent (Franc, Hlavac, Navara 2005, "Sequential coordinate-wise algorithm for the non-negative
     * least squares problem") keeps the gradient g = A c - b; a new frame changes it by w x (x'c - y), which costs d
     * and not d^2, and a pass over the coordinates costs only for those that move. Rounding in g is removed by
     * computing it anew every GRADIENT_REFRESH frames.
     */
    private static final int GRADIENT_REFRESH = 512;

    private static final double LARGEST_GAIN = 1e6;
    /** A move that is below the negligible one by so much is so whatever rounding does, and need not be divided out. */
    private static final double SURELY = 0.999;

    private final int columns;
    private final double forgetting;
    private final double tolerance;
    /** Dense and symmetric, row after row. */
    private final double[] a;

    private final double[] b;
    private final double[] coefficients;
    private final double[] gradient;
    /** Weighted sum of squared targets, the yardstick of a negligible move. */
    private double targetEnergy;
    /** Sums of the weights and of the frames themselves. */
    private double weights;

    private double frames;

    private double gain = 1;
    private int untilRefresh = GRADIENT_REFRESH;

    /**
     * @param tolerance a pass in which no coordinate moves the predictions by more than this share of their size ends a
     *     solve
     */
    ForgettingLeastSquares(int columns, double forgetting, double tolerance) {
        this.tolerance = tolerance;
        this.columns = columns;
        this.forgetting = forgetting;
        this.a = new double[columns * columns];
        this.b = new double[columns];
        this.coefficients = new double[columns];
        this.gradient = new double[columns];
    }

    /** The same sums, without a fit; for another thread. */
    ForgettingLeastSquares copyOfSums() {
        ForgettingLeastSquares copy = new ForgettingLeastSquares(columns, forgetting, tolerance);
        System.arraycopy(a, 0, copy.a, 0, a.length);
        System.arraycopy(b, 0, copy.b, 0, columns);
        copy.frames = frames;
        copy.weights = weights;
        copy.targetEnergy = targetEnergy;
        copy.gain = gain;
        return copy;
    }

    /** The fit as of the last {@link #solve}; live, not a copy. */
    double[] coefficients() {
        return coefficients;
    }

    /** Adds a frame: columns {@code x}, all finite, target {@code y} and weight {@code w > 0}. */
    void add(double[] x, double y, double w) {
        gain /= forgetting;
        if (gain > LARGEST_GAIN) {
            rescale(1 / gain);
            gain = 1;
        }
        double weight = w * gain;
        targetEnergy += weight * y * y;
        weights += weight;
        frames += gain;
        double error = weight * (dot(x, coefficients) - y);
        for (int i = 0; i < columns; i++) {
            double xi = x[i];
            if (xi == 0) {
                continue;
            }
            double wx = weight * xi;
            int row = i * columns;
            for (int j = 0; j < columns; j++) {
                a[row + j] += wx * x[j];
            }
            b[i] += wx * y;
            gradient[i] += error * xi;
        }
    }

    /**
     * Moves the coefficients towards the minimum from where they are.
     *
     * @param ridge relative ridge, &ge; 0
     * @param priorFrames absolute ridge, &ge; 0: each coefficient is pulled to 0 as if so many frames of average weight
     *     had shown that its column costs nothing at value 1
     * @param passes most passes over the coordinates
     * @return passes used
     */
    int solve(double ridge, double priorFrames, int passes) {
        if (--untilRefresh <= 0) {
            refreshGradient();
        }
        double prior = frames > 0 ? priorFrames * gain * weights / frames : 0;
        for (int pass = 1; pass <= passes; pass++) {
            if (!descend(ridge, prior)) {
                return pass;
            }
        }
        return passes;
    }

    private boolean descend(double ridge, double prior) {
        boolean moved = false;
        double negligible = tolerance * tolerance * targetEnergy;
        for (int j = 0; j < columns; j++) {
            double curvature = a[j * columns + j];
            if (curvature <= 0) {
                continue;
            }
            double old = coefficients[j];
            double pull = ridge * curvature + prior;
            double slope = gradient[j] + pull * old;
            double bend = curvature + pull;
            if (slope * slope * curvature < SURELY * negligible * bend * bend) {
                continue;
            }
            double next = Finite.max(0, old - slope / bend);
            double step = next - old;
            if (step * step * curvature > negligible) {
                coefficients[j] = next;
                int row = j * columns;
                for (int i = 0; i < columns; i++) {
                    gradient[i] += step * a[row + i];
                }
                moved = true;
            }
        }
        return moved;
    }

    /**
     * Restates the past for targets that have become {@code ratio} times as large, and lets it weigh only {@code
     * factor} of what it did, weights being relative to the targets.
     */
    void restate(double ratio, double factor) {
        double remembered = frames;
        rescale(factor / (ratio * ratio));
        frames = remembered * factor;
        targetEnergy *= ratio * ratio;
        for (int i = 0; i < columns; i++) {
            b[i] *= ratio;
            gradient[i] *= ratio;
            coefficients[i] *= ratio;
        }
    }

    private void rescale(double factor) {
        targetEnergy *= factor;
        weights *= factor;
        frames *= factor;
        for (int i = 0; i < a.length; i++) {
            a[i] *= factor;
        }
        for (int i = 0; i < columns; i++) {
            b[i] *= factor;
            gradient[i] *= factor;
        }
    }

    /** The sums, in terms of a newest frame that counts in full. Allocates. */
    LearnedStepTimes.SquareSums sums() {
        List<Double> information = new ArrayList<>(columns * (columns + 1) / 2);
        List<Double> vector = new ArrayList<>(columns);
        for (int i = 0; i < columns; i++) {
            for (int j = i; j < columns; j++) {
                information.add(a[i * columns + j] / gain);
            }
            vector.add(b[i] / gain);
        }
        return new LearnedStepTimes.SquareSums(frames / gain, weights / gain, targetEnergy / gain, information, vector);
    }

    /** Starts from these sums instead of nothing. */
    void load(LearnedStepTimes.SquareSums sums) {
        int packed = 0;
        for (int i = 0; i < columns; i++) {
            for (int j = i; j < columns; j++) {
                double value = sums.information().get(packed++);
                a[i * columns + j] = value;
                a[j * columns + i] = value;
            }
            b[i] = sums.vector().get(i);
        }
        frames = sums.frames();
        weights = sums.weight();
        targetEnergy = sums.targetEnergy();
        gain = 1;
        refreshGradient();
    }

    private void refreshGradient() {
        untilRefresh = GRADIENT_REFRESH;
        for (int i = 0; i < columns; i++) {
            double sum = -b[i];
            int row = i * columns;
            for (int j = 0; j < columns; j++) {
                sum += a[row + j] * coefficients[j];
            }
            gradient[i] = sum;
        }
    }

    /** Four sums side by side, for each addition would wait for the one before. */
    static double dot(double[] x, double[] y) {
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        int i = 0;
        for (; i + 3 < x.length; i += 4) {
            first += x[i] * y[i];
            second += x[i + 1] * y[i + 1];
            third += x[i + 2] * y[i + 2];
            fourth += x[i + 3] * y[i + 3];
        }
        for (; i < x.length; i++) {
            first += x[i] * y[i];
        }
        return first + second + (third + fourth);
    }
}
