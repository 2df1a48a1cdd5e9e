/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code planner simulate}: plays scenarios with other autoscalers and with the very planner that serves, and compares them.
 * Owned by the command's thread and those of the board.
 */
@NullMarked
package io.fpmplanner.service.simulate;

import org.jspecify.annotations.NullMarked;
