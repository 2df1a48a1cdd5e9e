/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForgettingLeastSquaresTest {
    private static final int ENOUGH_PASSES = 1_000_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void recursionEqualsBatchLeastSquaresInHigherPrecision(long seed) {
        int columns = 5;
        int rows = 400;
        double forgetting = 0.99;
        Random random = new Random(seed);
        double[][] x = new double[rows][columns];
        double[] y = new double[rows];
        double[] w = new double[rows];
        ForgettingLeastSquares squares = new ForgettingLeastSquares(columns, forgetting, 1e-9);
        for (int t = 0; t < rows; t++) {
            for (int j = 0; j < columns; j++) {
                x[t][j] = random.nextDouble();
                y[t] += (j + 1) * x[t][j];
            }
            y[t] += 0.05 * random.nextGaussian();
            w[t] = 0.5 + random.nextDouble();
            squares.add(x[t], y[t], w[t]);
            squares.solve(0, 0, 3);
        }
        squares.solve(0, 0, ENOUGH_PASSES);

        double[] expected = batch(x, y, w, forgetting);
        for (int j = 0; j < columns; j++) {
            // The descent stops when a pass moves predictions by less than 1e-9 of their size; conditions are about 50.
            assertThat(squares.coefficients()[j]).isEqualTo(expected[j], within(1e-6));
        }
    }

    @Test
    void oneColumnFollowsTheClosedFormOfForgetting() {
        double forgetting = 0.9;
        ForgettingLeastSquares squares = new ForgettingLeastSquares(1, forgetting, 1e-9);
        double numerator = 0;
        double denominator = 0;
        for (int t = 0; t < 500; t++) {
            double y = t % 7;
            numerator = forgetting * numerator + y;
            denominator = forgetting * denominator + 1;
            squares.add(new double[] {1}, y, 1);
            squares.solve(0, 0, 30);
        }

        assertThat(squares.coefficients()[0]).isEqualTo(numerator / denominator, within(1e-9));
    }

    @Test
    void ridgeShrinksOneColumnByItsShare() {
        ForgettingLeastSquares squares = new ForgettingLeastSquares(1, 1, 1e-9);
        squares.add(new double[] {2}, 6, 1);
        squares.solve(0.5, 0, 100);

        assertThat(squares.coefficients()[0]).isEqualTo(3 / 1.5, within(1e-9));
    }

    @Test
    void priorFramesPullLikeFramesOfAverageWeight() {
        ForgettingLeastSquares squares = new ForgettingLeastSquares(2, 1, 1e-9);
        for (int t = 0; t < 10; t++) {
            squares.add(new double[] {1, 1e-3}, 1, 4);
        }
        squares.solve(0, 0.1, 10_000);

        // min 10 (c0 + 1e-3 c1 - 1)^2 + 0.1 (c0^2 + c1^2): a column that was hardly ever on keeps hardly any cost.
        assertThat(squares.coefficients()[0]).isEqualTo(10 / 10.1, within(1e-3));
        assertThat(squares.coefficients()[1]).isLessThan(2e-3);
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void descentReachesTheMinimumOfAnActiveSetSolver(long seed) {
        int columns = 8;
        int rows = 60;
        Random random = new Random(seed);
        double[][] x = new double[rows][columns];
        double[] y = new double[rows];
        ForgettingLeastSquares squares = new ForgettingLeastSquares(columns, 1, 1e-9);
        for (int t = 0; t < rows; t++) {
            double common = random.nextDouble();
            for (int j = 0; j < columns; j++) {
                // Nearly collinear columns: the condition number of A is about 1e6.
                x[t][j] = common + 1e-2 * random.nextDouble();
                y[t] += (j - 3) * x[t][j];
            }
            y[t] += random.nextGaussian();
            squares.add(x[t], y[t], 1);
            squares.solve(0, 0, 5);
        }
        squares.solve(0, 0, ENOUGH_PASSES);

        double[] reference = ActiveSetLeastSquares.solve(x, y);
        assertThat(Arrays.stream(squares.coefficients())).allMatch(c -> c >= 0);
        assertThat(residual(x, y, squares.coefficients()))
                .isEqualTo(residual(x, y, reference), within(1e-9 * residual(x, y, new double[columns])));
    }

    /** Without forgetting the order of frames does not matter. */
    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void permutingFramesChangesNothing(long seed) {
        Random random = new Random(seed);
        List<double[]> frames = new ArrayList<>();
        for (int t = 0; t < 300; t++) {
            frames.add(random.doubles(6).toArray());
        }
        double[] expected = solved(frames);
        for (int shuffle = 0; shuffle < 5; shuffle++) {
            Collections.shuffle(frames, random);
            double[] actual = solved(frames);
            for (int j = 0; j < expected.length; j++) {
                assertThat(actual[j]).isEqualTo(expected[j], within(1e-7));
            }
        }
    }

    /** Four columns, a target and a weight a frame; a few passes after each, then to the end. */
    private static double[] solved(List<double[]> frames) {
        ForgettingLeastSquares squares = new ForgettingLeastSquares(4, 1, 1e-10);
        for (double[] frame : frames) {
            squares.add(Arrays.copyOf(frame, 4), frame[4], 0.1 + frame[5]);
            squares.solve(1e-4, 0.05, 2);
        }
        squares.solve(1e-4, 0.05, ENOUGH_PASSES);
        return squares.coefficients();
    }

    @Test
    void restatingThePastScalesTheFitAndItsWeight() {
        ForgettingLeastSquares squares = new ForgettingLeastSquares(1, 1, 1e-9);
        for (int t = 0; t < 100; t++) {
            squares.add(new double[] {1}, 2, 1.0 / 4);
        }
        squares.restate(3, 0.01);
        assertThat(squares.coefficients()[0]).isZero();
        squares.solve(0, 0, 10);
        assertThat(squares.coefficients()[0]).isEqualTo(6, within(1e-6));

        // 100 frames at a hundredth weigh as much as one; two relative weights of 1/36 meet in the middle.
        squares.add(new double[] {1}, 12, 1.0 / 36);
        squares.solve(0, 0, 10);
        assertThat(squares.coefficients()[0]).isEqualTo(9, within(1e-6));
    }

    @Test
    void keepsItsAccuracyOverAMillionFrames() {
        Random random = new Random(3);
        ForgettingLeastSquares squares = new ForgettingLeastSquares(2, 0.9995, 1e-9);
        double[] x = new double[2];
        for (int t = 0; t < 1_000_000; t++) {
            x[0] = 1;
            x[1] = random.nextDouble();
            squares.add(x, 0.02 + 0.3 * x[1], 1e4);
            squares.solve(1e-9, 0, 4);
        }

        assertThat(squares.coefficients()[0]).isEqualTo(0.02, within(1e-4));
        assertThat(squares.coefficients()[1]).isEqualTo(0.3, within(1e-4));
    }

    private static double residual(double[][] x, double[] y, double[] c) {
        double sum = 0;
        for (int t = 0; t < y.length; t++) {
            double error = ForgettingLeastSquares.dot(x[t], c) - y[t];
            sum += error * error;
        }
        return sum;
    }

    /** Normal equations solved by Gaussian elimination in 60 digits; no pivoting, A is positive definite. */
    private static double[] batch(double[][] x, double[] y, double[] w, double forgetting) {
        MathContext digits = new MathContext(60);
        int n = x[0].length;
        BigDecimal[][] a = new BigDecimal[n][n + 1];
        for (BigDecimal[] row : a) {
            Arrays.fill(row, BigDecimal.ZERO);
        }
        for (int t = 0; t < y.length; t++) {
            BigDecimal weight =
                    new BigDecimal(forgetting).pow(y.length - 1 - t, digits).multiply(new BigDecimal(w[t]), digits);
            for (int i = 0; i < n; i++) {
                BigDecimal wx = weight.multiply(new BigDecimal(x[t][i]), digits);
                for (int j = 0; j < n; j++) {
                    a[i][j] = a[i][j].add(wx.multiply(new BigDecimal(x[t][j]), digits), digits);
                }
                a[i][n] = a[i][n].add(wx.multiply(new BigDecimal(y[t]), digits), digits);
            }
        }
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                if (i == k) {
                    continue;
                }
                BigDecimal factor = a[i][k].divide(a[k][k], digits);
                for (int j = k; j <= n; j++) {
                    a[i][j] = a[i][j].subtract(factor.multiply(a[k][j], digits), digits);
                }
            }
        }
        double[] c = new double[n];
        for (int k = 0; k < n; k++) {
            c[k] = a[k][n].divide(a[k][k], digits).doubleValue();
        }
        return c;
    }
}
