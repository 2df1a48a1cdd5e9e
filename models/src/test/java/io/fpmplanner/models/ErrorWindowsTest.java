/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorWindowsTest {
    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.01, 0.1, 0.4})
    void coversNormalErrorsOfAnySize(double sigma) {
        Random random = new Random(1);
        checkCoverage(() -> sigma * random.nextGaussian());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.3})
    void coversSkewedErrors(double mean) {
        Random random = new Random(2);
        checkCoverage(() -> -mean * Math.log(1 - random.nextDouble()));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.3})
    void coversTwoModes(double share) {
        Random random = new Random(3);
        checkCoverage(() -> (random.nextDouble() < share ? 0.35 : 0) + 0.01 * random.nextGaussian());
    }

    @Test
    void aClockworkEngineLeavesNothingBehind() {
        ErrorWindows windows = new ErrorWindows();
        LogQuantiles quantiles = new LogQuantiles();
        for (int i = 0; i < 20_000; i++) {
            windows.update(StepRegime.DECODE, 0, quantiles);
        }
        assertThat(quantiles.at(2)).isZero();

        Random random = new Random(6);
        int inside = 0;
        for (int i = 0; i < 2300; i++) {
            double error = 0.02 * random.nextGaussian();
            if (i >= 300 && Math.abs(error) <= quantiles.at(LogQuantiles.normalQuantile(0.95))) {
                inside++;
            }
            windows.update(StepRegime.DECODE, error, quantiles);
        }
        assertThat(inside / 2000.0).isEqualTo(0.9, within(0.03));
    }

    /** Coverage of each central interval over 5000 errors, after 200 to learn. */
    private static void checkCoverage(DoubleSupplier errors) {
        ErrorWindows windows = new ErrorWindows();
        LogQuantiles quantiles = new LogQuantiles();
        double[] shares = {0.5, 0.8, 0.9, 0.99};
        int[] inside = new int[shares.length];
        for (int i = 0; i < 200 + 5000; i++) {
            double error = errors.getAsDouble();
            for (int k = 0; i >= 200 && k < shares.length; k++) {
                double normal = LogQuantiles.normalQuantile(0.5 + shares[k] / 2);
                if (error >= quantiles.at(-normal) && error <= quantiles.at(normal)) {
                    inside[k]++;
                }
            }
            windows.update(StepRegime.MIXED, error, quantiles);
        }
        for (int k = 0; k < shares.length; k++) {
            assertThat(inside[k] / 5000.0).as("%s interval", shares[k]).isEqualTo(shares[k], within(0.02));
        }
    }
}
