/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.FpmFrame;

/** Which workers may send frames to which pool. Threadsafe. */
@FunctionalInterface
public interface WorkerLists {
    /** All to all. */
    WorkerLists ALL = (poolIndex, frame) -> true;

    /** Whether the frame's worker may. */
    boolean permit(int poolIndex, FpmFrame frame);
}
