/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code planner record}: writes what live sources receive to a frame log.
 *
 * <p>Door: {@link io.fpmplanner.service.record.RecordCommand}. Messages arrive on the threads of the sources; the command's
 * own thread watches the clock and flushes.
 */
@NullMarked
package io.fpmplanner.service.record;

import org.jspecify.annotations.NullMarked;
