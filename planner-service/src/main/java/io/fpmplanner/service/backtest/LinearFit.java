/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

/**
 * A plane over two axes.
 *
 * @param intercept seconds at no load, may be negative
 * @param first seconds per unit of the first axis
 * @param second seconds per unit of the second axis, 0 where there is none
 */
record LinearFit(double intercept, double first, double second) implements Fit {
    @Override
    public double at(double firstLoad, double secondLoad) {
        return intercept + first * firstLoad + second * secondLoad;
    }
}
