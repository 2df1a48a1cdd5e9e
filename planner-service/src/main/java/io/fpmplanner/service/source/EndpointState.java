/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

/** How far the way to an endpoint is open. Says nothing of whether frames come: see the rank's own state. */
public enum EndpointState {
    /** Its host name is being looked up for the first time. */
    RESOLVING(true, "host name is looked up"),
    /** Its host name has no address, or its pattern no socket file; it is looked up again and again. */
    UNRESOLVABLE(false, "source leads nowhere yet; it is looked up again and again"),
    /** No connection now; it is tried again and again. */
    CONNECTING(false, "endpoint is not connected; it is tried again and again"),
    /** Something listens there that does not speak the protocol; it is tried again after a while. */
    INCOMPATIBLE(false, "peer does not speak the protocol; it is tried again later"),
    /** Connected and subscribed. */
    CONNECTED(true, "endpoint connected"),
    /** A port or socket of ours that peers connect to. */
    LISTENING(true, "endpoint listens"),
    /** The sum of the endpoints of an entry that are no more. */
    FORMER(true, "endpoints are no more");

    private final boolean fine;
    private final String sentence;

    EndpointState(boolean fine, String sentence) {
        this.fine = fine;
        this.sentence = sentence;
    }

    /** Whether nothing is wrong. */
    boolean isFine() {
        return fine;
    }

    /** What the log says when it is entered. */
    String sentence() {
        return sentence;
    }
}
