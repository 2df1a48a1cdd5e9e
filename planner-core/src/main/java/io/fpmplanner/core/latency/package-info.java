/* SPDX-License-Identifier: Apache-2.0 */
/** Prediction of TTFT and ITL from a pool's view. Pure functions over snapshots; any thread. */
@NullMarked
package io.fpmplanner.core.latency;

import org.jspecify.annotations.NullMarked;
