/* SPDX-License-Identifier: Apache-2.0 */
/** Ranks, workers and pools, their windows and settings, and the immutable views that readers see. One writer. */
@NullMarked
package io.fpmplanner.core.pool;

import org.jspecify.annotations.NullMarked;
