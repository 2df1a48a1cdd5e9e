/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code planner relay}: a small process beside an engine that passes its messages on, untouched, to a planner elsewhere.
 *
 * <p>Door: {@link io.fpmplanner.service.relay.RelayCommand}. The thread of a ZMTP reactor reads and writes; the command's
 * own looks for socket files and addresses once a second.
 */
@NullMarked
package io.fpmplanner.service.relay;

import org.jspecify.annotations.NullMarked;
