/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code planner backtest}: compares the learner with baselines on recorded frames, so that a user can trust or refuse
 * it on their own data.
 *
 * <p>Door: {@link io.fpmplanner.service.backtest.BacktestCommand}. Everything runs on the caller's thread.
 *
 * <p>Path: {@code RecordingReader} gives a {@code StepSeries}; {@code Backtest} lets each {@code Contender} learn it as
 * it is, with a slower clock, with noise and before another recording ({@code Predictions}, one pass each); {@code
 * Verdict} says what that means; {@code BacktestTable}, {@code BacktestJson} and {@code HtmlReport} write it down.
 */
@NullMarked
package io.fpmplanner.service.backtest;

import org.jspecify.annotations.NullMarked;
