/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Where frames come from. A {@link io.fpmplanner.service.source.FrameSource} owns the threads that receive and decodes
 * into a {@link io.fpmplanner.service.source.FrameRing}; the event loop that owns the planner drains the ring.
 */
@NullMarked
package io.fpmplanner.service.source;

import org.jspecify.annotations.NullMarked;
