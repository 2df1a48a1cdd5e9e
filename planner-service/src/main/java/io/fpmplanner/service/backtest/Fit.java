/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

/** A law that a regression has found. */
interface Fit {
    /** Seconds at a load, perhaps less than 0. */
    double at(double firstLoad, double secondLoad);
}
