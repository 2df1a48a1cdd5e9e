/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import java.util.List;

/** What this end of a link is, and which peers it may talk to. */
public enum SocketKind {
    /** Receives what it subscribes to. */
    SUB("PUB", "XPUB"),
    /** Receives everything its peers push. */
    PULL("PUSH"),
    /** Sends what its peers subscribe to. */
    PUB("SUB", "XSUB");

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; its type does not say so.
    private final List<String> peers;

    SocketKind(String... peers) {
        this.peers = List.of(peers);
    }

    boolean accepts(String peerType) {
        return peers.contains(peerType);
    }

    /** The peers it may talk to, in words. */
    String peers() {
        return String.join(" or ", peers);
    }
}
