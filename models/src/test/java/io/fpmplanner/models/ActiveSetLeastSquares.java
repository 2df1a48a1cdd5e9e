/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/** The active-set method of Lawson and Hanson (1974, chapter 23): an oracle that shares nothing with the descent. */
final class ActiveSetLeastSquares {
    private ActiveSetLeastSquares() {}

    /** Minimises {@code |x c - y|} over {@code c >= 0}. */
    static double[] solve(double[][] x, double[] y) {
        int n = x[0].length;
        double[] c = new double[n];
        List<Integer> passive = new ArrayList<>();
        for (int round = 0; round < 10 * n; round++) {
            int enter = steepest(x, y, c, passive);
            if (enter < 0) {
                return c;
            }
            passive.add(enter);
            double[] trial = unconstrained(x, y, passive);
            while (!passive.isEmpty() && min(trial, passive) <= 0) {
                double share = 1;
                for (int j : passive) {
                    if (trial[j] <= 0) {
                        share = Math.min(share, c[j] / (c[j] - trial[j]));
                    }
                }
                for (int j : passive) {
                    c[j] += share * (trial[j] - c[j]);
                }
                passive.removeIf(j -> c[j] <= 1e-12);
                trial = unconstrained(x, y, passive);
            }
            System.arraycopy(trial, 0, c, 0, n);
        }
        return c;
    }

    private static int steepest(double[][] x, double[] y, double[] c, List<Integer> passive) {
        int best = -1;
        double steepest = 1e-8;
        for (int j = 0; j < c.length; j++) {
            double slope = 0;
            for (int t = 0; t < y.length; t++) {
                slope += x[t][j] * (y[t] - ForgettingLeastSquares.dot(x[t], c));
            }
            if (!passive.contains(j) && slope > steepest) {
                best = j;
                steepest = slope;
            }
        }
        return best;
    }

    private static double[] unconstrained(double[][] x, double[] y, List<Integer> passive) {
        double[] c = new double[x[0].length];
        if (passive.isEmpty()) {
            return c;
        }
        double[][] columns = new double[y.length][passive.size()];
        for (int t = 0; t < y.length; t++) {
            for (int k = 0; k < passive.size(); k++) {
                columns[t][k] = x[t][passive.get(k)];
            }
        }
        double[] solved = new SingularValueDecomposition(new Array2DRowRealMatrix(columns, false))
                .getSolver()
                .solve(new ArrayRealVector(y, false))
                .toArray();
        for (int k = 0; k < passive.size(); k++) {
            c[passive.get(k)] = solved[k];
        }
        return c;
    }

    private static double min(double[] trial, List<Integer> passive) {
        return passive.stream().mapToDouble(j -> trial[j]).min().orElseThrow();
    }
}
