/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

/** Where the arrivals that a decision expects come from. */
public enum ForecastOrigin {
    /** The level and trend of what came. */
    TREND,
    /** The level of what came, and what came a period ago and before. */
    SEASON,
    /** Somebody has supplied a forecast that covers the next cold start. */
    SUPPLIED
}
