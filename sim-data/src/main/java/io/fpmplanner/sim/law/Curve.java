/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/** A function through measured points: straight lines between them, level below the first, straight on beyond the last. */
final class Curve {
    private final double[] xs;
    private final double[] ys;

    /** @param points x and y in turn; x rising, at least two points */
    static Curve of(double... points) {
        double[] xs = new double[points.length / 2];
        double[] ys = new double[points.length / 2];
        for (int i = 0; i < xs.length; i++) {
            xs[i] = points[2 * i];
            ys[i] = points[2 * i + 1];
        }
        return new Curve(xs, ys);
    }

    private Curve(double[] xs, double[] ys) {
        if (xs.length < 2) {
            throw new IllegalArgumentException("a curve needs two points at least");
        }
        for (int i = 1; i < xs.length; i++) {
            if (!(xs[i] > xs[i - 1])) {
                throw new IllegalArgumentException("points must rise, " + xs[i] + " follows " + xs[i - 1]);
            }
        }
        this.xs = xs;
        this.ys = ys;
    }

    double at(double x) {
        if (x <= xs[0]) {
            return ys[0];
        }
        int i = segment(xs, x);
        return ys[i] + (ys[i + 1] - ys[i]) * (x - xs[i]) / (xs[i + 1] - xs[i]);
    }

    /** The same with each value times what a function says for its place. */
    Curve scaled(DoubleUnaryOperator factor) {
        double[] scaled = new double[ys.length];
        Arrays.setAll(scaled, i -> ys[i] * factor.applyAsDouble(xs[i]));
        return new Curve(xs, scaled);
    }

    /** The segment of {@code xs} that holds x, or the last one. */
    static int segment(double[] xs, double x) {
        int low = 0;
        int high = xs.length - 2;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (xs[middle] < x) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
