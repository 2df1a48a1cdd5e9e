/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fault drills: a simulated fleet over real sockets, faults put between it and the planner, and what the planner makes of them.
 *
 * <p>Door: {@link io.fpmplanner.service.chaos.ChaosCommand}. The fleet publishes on its own thread, one more thread watches.
 */
@NullMarked
package io.fpmplanner.service.chaos;

import org.jspecify.annotations.NullMarked;
