/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import java.util.Arrays;

/** Least squares of relative errors with coefficients that are not negative. */
final class RelativeLeastSquares {
    /*
     * Normal equations by Gauss elimination with scaled columns; the most negative coefficient is dropped until none is left
     * (backward elimination: not always Lawson and Hanson's optimum, but a baseline needs no more).
     */
    private static final double RIDGE = 1e-9;

    private RelativeLeastSquares() {}

    /** Coefficients for which {@code rows * coefficients / values} is nearest to 1. */
    static double[] fit(double[][] rows, double[] values) {
        int columns = rows[0].length;
        boolean[] dropped = new boolean[columns];
        double[] scales = scales(rows, values, columns);
        for (int round = 0; round < columns; round++) {
            double[] coefficients = solve(rows, values, scales, dropped);
            int worst = -1;
            for (int i = 0; i < columns; i++) {
                if (coefficients[i] < 0 && (worst < 0 || coefficients[i] < coefficients[worst])) {
                    worst = i;
                }
            }
            if (worst < 0) {
                for (int i = 0; i < columns; i++) {
                    coefficients[i] *= scales[i];
                }
                return coefficients;
            }
            dropped[worst] = true;
        }
        throw new IllegalStateException("no coefficient is positive");
    }

    /** One over the root mean square of each column relative to the values; 0 for a column of zeros. */
    private static double[] scales(double[][] rows, double[] values, int columns) {
        double[] scales = new double[columns];
        for (int i = 0; i < columns; i++) {
            double squares = 0;
            for (int r = 0; r < rows.length; r++) {
                double relative = rows[r][i] / values[r];
                squares += relative * relative;
            }
            scales[i] = squares == 0 ? 0 : Math.sqrt(rows.length / squares);
        }
        return scales;
    }

    private static double[] solve(double[][] rows, double[] values, double[] scales, boolean[] dropped) {
        int n = scales.length;
        double[][] matrix = new double[n][n + 1];
        double[] row = new double[n];
        for (int r = 0; r < rows.length; r++) {
            for (int i = 0; i < n; i++) {
                row[i] = dropped[i] ? 0 : rows[r][i] * scales[i] / values[r];
            }
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    matrix[i][j] += row[i] * row[j];
                }
                matrix[i][n] += row[i];
            }
        }
        for (int i = 0; i < n; i++) {
            matrix[i][i] += RIDGE * rows.length;
        }
        return eliminate(matrix);
    }

    private static double[] eliminate(double[][] matrix) {
        int n = matrix.length;
        for (int i = 0; i < n; i++) {
            int pivot = i;
            for (int r = i + 1; r < n; r++) {
                pivot = Math.abs(matrix[r][i]) > Math.abs(matrix[pivot][i]) ? r : pivot;
            }
            double[] swapped = matrix[i];
            matrix[i] = matrix[pivot];
            matrix[pivot] = swapped;
            for (int r = i + 1; r < n; r++) {
                double factor = matrix[r][i] / matrix[i][i];
                for (int c = i; c <= n; c++) {
                    matrix[r][c] -= factor * matrix[i][c];
                }
            }
        }
        double[] solution = new double[n];
        for (int i = n - 1; i >= 0; i--) {
            double rest = matrix[i][n];
            for (int c = i + 1; c < n; c++) {
                rest -= matrix[i][c] * solution[c];
            }
            solution[i] = rest / matrix[i][i];
        }
        return Arrays.copyOf(solution, n);
    }
}
