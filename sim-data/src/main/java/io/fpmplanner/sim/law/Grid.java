/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

/** A function of two variables through a grid of measured points: bilinear, level below the grid, straight on beyond it. */
final class Grid {
    private final double[] xs;
    private final double[] ys;
    private final double[][] values;

    /**
     * A grid of values.
     *
     * @param values one row per x, one column per y
     */
    Grid(double[] xs, double[] ys, double[][] values) {
        if (values.length != xs.length || xs.length < 2 || ys.length < 2) {
            throw new IllegalArgumentException("the grid has " + values.length + " rows for " + xs.length + " places");
        }
        for (double[] row : values) {
            if (row.length != ys.length) {
                throw new IllegalArgumentException("a row has " + row.length + " values for " + ys.length + " places");
            }
        }
        this.xs = xs;
        this.ys = ys;
        this.values = values;
    }

    double at(double x, double y) {
        int i = Curve.segment(xs, x);
        int j = Curve.segment(ys, y);
        double u = Math.max(0, (x - xs[i]) / (xs[i + 1] - xs[i]));
        double v = Math.max(0, (y - ys[j]) / (ys[j + 1] - ys[j]));
        double low = values[i][j] + v * (values[i][j + 1] - values[i][j]);
        double high = values[i + 1][j] + v * (values[i + 1][j + 1] - values[i + 1][j]);
        return Math.max(0, low + u * (high - low));
    }
}
