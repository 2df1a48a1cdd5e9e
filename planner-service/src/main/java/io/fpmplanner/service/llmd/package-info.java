/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The HTTP contract of llm-d's latency predictor, answered from the pools' own models: {@link
 * io.fpmplanner.service.llmd.LatencyPredictorRoutes}, one set of routes for each pool.
 */
@NullMarked
package io.fpmplanner.service.llmd;

import org.jspecify.annotations.NullMarked;
