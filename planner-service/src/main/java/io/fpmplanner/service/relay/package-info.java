/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code planner relay}: a small process beside an engine that passes its messages on, untouched, to a planner elsewhere.
 *
 * <p>Door: {@link io.fpmplanner.service.relay.RelayCommand}. One thread reads and writes; it logs to standard error by
 * itself, for the service's logging would take a third of the memory that a relay may have.
 */
@NullMarked
package io.fpmplanner.service.relay;

import org.jspecify.annotations.NullMarked;
