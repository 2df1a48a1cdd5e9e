/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import java.util.OptionalInt;

/**
 * How soon predictions were good again after the engine changed.
 *
 * @param changedAt step of the change, from 0
 * @param steps how many steps went by before {@value #WINDOW} in a row had a mean error below 10 %: 0 if the change did
 *     not matter, empty if there were none up to the end
 */
record Recovery(int changedAt, OptionalInt steps) {
    /** Steps over which an error is averaged. */
    static final int WINDOW = 20;

    private static final double GOOD = 0.1;

    /** Looks at what was predicted from {@code change} on. */
    static Recovery after(int change, Predictions predictions) {
        double[] errors = new double[predictions.size() - change];
        for (int t = 0; t < errors.length; t++) {
            errors[t] = predictions.error(change + t);
        }
        return new Recovery(change, firstGoodWindow(errors));
    }

    /** Frames seen when the mean error of the last {@value #WINDOW} was first below 10 %. */
    static OptionalInt framesToGood(double[] errors) {
        OptionalInt start = firstGoodWindow(errors);
        return start.isEmpty() ? start : OptionalInt.of(start.getAsInt() + WINDOW);
    }

    private static OptionalInt firstGoodWindow(double[] errors) {
        for (int from = 0; from + WINDOW <= errors.length; from++) {
            double sum = 0;
            for (int t = from; t < from + WINDOW; t++) {
                sum += errors[t];
            }
            if (sum < GOOD * WINDOW) {
                return OptionalInt.of(from);
            }
        }
        return OptionalInt.empty();
    }
}
