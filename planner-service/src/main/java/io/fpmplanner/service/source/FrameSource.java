/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import java.util.List;

/** Something that delivers frames. All methods may be called from any thread. */
public interface FrameSource extends AutoCloseable {
    /** What it is called in metrics: a word in lower case. */
    String name();

    /**
     * Starts to receive into the ring. Returns at once; peers that cannot be reached are no error, they are retried.
     *
     * @param ring filled by this source alone
     * @param wake called after each batch that was put into the ring; cheap and threadsafe
     * @throws IllegalStateException if it was started before
     */
    void start(FrameRing ring, Runnable wake);

    /** What is known of every endpoint now, ordered by pool and address. */
    List<EndpointStatus> endpoints();

    /** Whether the threads that receive are running. */
    boolean isReceiving();

    /** Stops receiving and frees all sockets and threads; waits for that at most two seconds. */
    @Override
    void close();
}
