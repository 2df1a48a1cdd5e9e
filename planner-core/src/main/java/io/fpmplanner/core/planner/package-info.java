/* SPDX-License-Identifier: Apache-2.0 */
/** The whole: {@link io.fpmplanner.core.planner.Planner} takes frames and ticks, readers take its plan from the board. */
@NullMarked
package io.fpmplanner.core.planner;

import org.jspecify.annotations.NullMarked;
