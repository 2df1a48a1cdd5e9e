/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Recorded frames in files: the forms of others, which are read, and our own frame log, which is written too.
 *
 * <p>Doors: {@link io.fpmplanner.service.recording.Recording#open} reads every form, {@link
 * io.fpmplanner.service.recording.FrameLogWriter} writes the log. Nothing here starts a thread.
 */
@NullMarked
package io.fpmplanner.service.recording;

import org.jspecify.annotations.NullMarked;
