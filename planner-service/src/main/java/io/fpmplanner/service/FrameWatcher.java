/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.core.fpm.FpmFrame;

/** Is shown each frame right after the planner has taken it in, on the planner's event loop. */
@FunctionalInterface
public interface FrameWatcher {
    /** Looks at nothing. */
    FrameWatcher NONE = frame -> {};

    /** Must neither keep the frame nor take long. */
    void taken(FpmFrame frame);
}
