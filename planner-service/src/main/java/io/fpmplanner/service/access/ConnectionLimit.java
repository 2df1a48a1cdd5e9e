/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import io.vertx.core.http.HttpConnection;

/** Closes connections of one listener beyond so many, unread. Used by that listener's event loop. */
public final class ConnectionLimit {
    private final int most;
    private int open;

    /** @param most connections that may be open at once, at least 1 */
    public ConnectionLimit(int most) {
        this.most = most;
    }

    /**
     * Counts a new connection until it closes.
     *
     * @param onClose told when it closes; replaces the connection's close handler
     * @return false if it was one too many and is closed
     */
    public boolean admit(HttpConnection connection, Runnable onClose) {
        if (open >= most) {
            connection.close();
            return false;
        }
        open++;
        connection.closeHandler(closed -> {
            open--;
            onClose.run();
        });
        return true;
    }
}
