/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

/** Told what becomes of a link and what comes over it. All calls come from the reactor's thread and must not block. */
public interface LinkListener {
    /** The handshake is done; subscriptions are on their way. */
    void connected();

    /** There is no connection, or no longer; a link that we made is tried again. */
    void disconnected(String why);

    /** Something answers that is no ZMTP peer for us; a link that we made is tried again after a while. */
    void incompatible(String why);

    /** The peer broke the protocol or a limit, and the connection is closed; a link that we made is tried again. */
    void breached(String why);

    /** A message; only to be used during this call. */
    void message(ZmtpMessage message);

    /** An accepted link has ended, or one that we made was closed by us; nothing follows. */
    default void closed() {}
}
