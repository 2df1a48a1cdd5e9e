/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import java.io.IOException;
import java.util.List;

/** Leads from configured entries of some kind to endpoints, again and again. All methods may be called from any thread. */
interface Discovery {
    /**
     * Begins; does not wait for anything to be found.
     *
     * @throws IOException if a socket of ours cannot be opened
     */
    void start(ZmtpEndpoints endpoints) throws IOException;

    /** What is to be said of entries that have no endpoint now, and of sockets of our own. */
    List<EndpointStatus> status(ZmtpEndpoints endpoints);

    /** Ends soon. */
    void stop();
}
