/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The planner in a loop of somebody else, with that loop's clock: JSON lines in, recommendations out.
 *
 * <p>Door: {@link io.fpmplanner.service.step.StepCommand}. One thread; nothing here reads a clock.
 */
@NullMarked
package io.fpmplanner.service.step;

import org.jspecify.annotations.NullMarked;
