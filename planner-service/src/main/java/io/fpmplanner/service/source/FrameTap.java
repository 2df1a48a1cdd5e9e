/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.FpmFrame;

/** Is shown every message that sources take in, as it came, frame or not. Called by their threads, so threadsafe. */
@FunctionalInterface
public interface FrameTap {
    /** Looks away. */
    FrameTap NONE = (arrival, buffer, offset, length) -> {};

    /**
     * Sees one message.
     *
     * @param arrival only its arrival stamps mean something: endpoint, publisher, sequence, time; not to be kept
     * @param buffer holds the msgpack payload, or what came in its place; not to be kept
     */
    void message(FpmFrame arrival, byte[] buffer, int offset, int length);
}
