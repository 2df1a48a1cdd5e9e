/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.OptionalDouble;

/**
 * How far one regime is learned and how well it has been predicted lately.
 *
 * @param regime the regime
 * @param evidence COLD, WARMING or READY
 * @param frames frames of this regime learned since the start or the last drift reset
 * @param framesNeeded frames after which the regime counts as ready
 * @param mape rolling mean absolute relative error one step ahead, a fraction; empty before anything was predicted
 * @param bias rolling mean of log(measured / predicted), positive when predictions are too low; empty likewise
 * @param coverage50 rolling share of wall times inside the 50 % interval, 0 to 1; empty likewise
 * @param coverage80 of the 80 % interval
 * @param coverage90 of the 90 % interval
 * @param coverage99 of the 99 % interval
 */
public record RegimeReadiness(
        StepRegime regime,
        Evidence evidence,
        long frames,
        long framesNeeded,
        OptionalDouble mape,
        OptionalDouble bias,
        OptionalDouble coverage50,
        OptionalDouble coverage80,
        OptionalDouble coverage90,
        OptionalDouble coverage99) {}
