/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code planner replay}: feeds recorded frames through the path of live ones and scores the predictions on the way.
 *
 * <p>Door: {@link io.fpmplanner.service.replay.ReplayCommand}; the reader and the way scores are
 * summed up and written serve {@code planner backtest} too. Everything runs on the caller's thread.
 */
@NullMarked
package io.fpmplanner.service.replay;

import org.jspecify.annotations.NullMarked;
