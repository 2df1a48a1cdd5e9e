/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Frames as JSON: what engines without ZeroMQ post, what Dynamo exports and traces, what {@code step} reads.
 *
 * <p>Door: {@link io.fpmplanner.service.frames.FrameJson} for one frame, {@link io.fpmplanner.service.frames.FrameLine}
 * for a frame in one of Dynamo's wrappings. Nothing here starts a thread.
 */
@NullMarked
package io.fpmplanner.service.frames;

import org.jspecify.annotations.NullMarked;
