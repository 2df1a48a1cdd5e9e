/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import io.fpmplanner.service.zmtp.ZmtpMessage;

/** Where the messages of one endpoint go. Used by the reactor's thread, except where it says otherwise. */
interface Outlet {
    /**
     * Sends a message without waiting.
     *
     * @return false if it was dropped, because nobody takes it or too many wait already
     */
    boolean send(ZmtpMessage message);

    /** Hands on what was sent since the last call. */
    void flush();

    /** Whether someone takes messages now; any thread. */
    boolean isTaken();

    /** Looks for the other side again if that is needed; on the command's thread, and may block. */
    void look();

    /** Ends it; any thread. */
    void close();
}
