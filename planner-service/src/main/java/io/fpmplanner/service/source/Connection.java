/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

/** One address that JeroMQ connects to, and when to mend what JeroMQ gives up. Used by the ZeroMQ thread alone. */
final class Connection {
    private static final int STALLS_OF_A_FOREIGNER = 6;

    private final Target target;
    private final EndpointLedger ledger;

    /** When the connection was lost without a retry being announced yet; 0 if it was not. */
    private long lostAtNanos;
    /** When TCP was connected, while the handshake is not done; 0 else. */
    private long acceptedNanos;
    /** Handshakes in a row that the peer never answered. */
    private int stalledHandshakes;

    /** When to connect again by our own doing; 0 if ZeroMQ sees to it. */
    private long retryAtNanos;

    Connection(Target target, String endpoint) {
        this.target = target;
        this.ledger =
                new EndpointLedger(target.poolIndex(), target.source().toString(), endpoint, EndpointState.CONNECTING);
    }

    Target target() {
        return target;
    }

    /** State and counts, which other threads may read. */
    EndpointLedger ledger() {
        return ledger;
    }

    String endpoint() {
        return ledger.endpoint();
    }

    EndpointState state() {
        return ledger.state();
    }

    /** TCP is connected, the handshake begins. */
    void accepted(long nowNanos) {
        acceptedNanos = nowNanos;
    }

    /** The peer spoke ZMTP, or does not listen at all. */
    void handshakesAgain() {
        acceptedNanos = 0;
        stalledHandshakes = 0;
    }

    /**
     * The connection ended. True if its handshake had run for that long and so had those before: something listens and
     * waits for another protocol. Remembered until the peer speaks ZMTP, so that each further attempt is judged at once.
     */
    boolean isForeign(long nowNanos, long stallNanos) {
        boolean stalled = acceptedNanos != 0 && nowNanos - acceptedNanos >= stallNanos;
        acceptedNanos = 0;
        stalledHandshakes = stalled ? stalledHandshakes + 1 : stalledHandshakes;
        return stalled && stalledHandshakes >= STALLS_OF_A_FOREIGNER;
    }

    void lost(long nowNanos) {
        lostAtNanos = nowNanos;
    }

    void retrying() {
        lostAtNanos = 0;
    }

    /** Whether it was lost that long ago and ZeroMQ has not announced a retry, which it does at once if at all. */
    boolean abandoned(long nowNanos, long graceNanos) {
        return lostAtNanos != 0 && nowNanos - lostAtNanos >= graceNanos;
    }

    void retryAt(long nanos) {
        lostAtNanos = 0;
        retryAtNanos = nanos;
    }

    /** True once when the time set by {@link #retryAt} has come. */
    boolean takeRetry(long nowNanos) {
        if (retryAtNanos == 0 || nowNanos < retryAtNanos) {
            return false;
        }
        retryAtNanos = 0;
        return true;
    }
}
