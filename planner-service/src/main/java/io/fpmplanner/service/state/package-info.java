/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What was learned, kept on disk so that a restart does not lose it.
 *
 * <p>Door: {@link io.fpmplanner.service.state.StateKeeper}. Files are read and written on a worker thread and at the very
 * beginning and end, never on an event loop.
 */
@NullMarked
package io.fpmplanner.service.state;

import org.jspecify.annotations.NullMarked;
