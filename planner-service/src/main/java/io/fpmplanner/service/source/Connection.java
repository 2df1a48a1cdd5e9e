/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.RejectReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One address that the ZeroMQ thread connects to, with what happened there. Written by that thread alone; {@link
 * #status()} may be called from any.
 */
final class Connection {
    private static final double REJECT_LOG_SECONDS = 10;
    private static final double CHANGE_LOG_SECONDS = 10;
    private static final int STALLS_OF_A_FOREIGNER = 6;
    private static final double REMINDER_LOG_SECONDS = 60;

    private final Target target;
    private final String endpoint;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final Map<RejectReason, AtomicLong> rejected = new EnumMap<>(RejectReason.class);
    private final AtomicLong protocolErrors = new AtomicLong();
    private final AtomicLong connects = new AtomicLong();
    private final Map<RejectReason, Sampler> rejectSamplers = new EnumMap<>(RejectReason.class);
    private final Map<EndpointState, Sampler> changeSamplers = new EnumMap<>(EndpointState.class);
    private final Map<EndpointState, Sampler> reminderSamplers = new EnumMap<>(EndpointState.class);
    private volatile EndpointState state = EndpointState.CONNECTING;

    /** When the connection was lost without a retry being announced yet; 0 if it was not. */
    private long lostAtNanos;
    /** When TCP was connected, while the handshake is not done; 0 else. */
    private long acceptedNanos;
    /** Handshakes in a row that the peer never answered. */
    private int stalledHandshakes;

    private final Sampler breachSampler = new Sampler(REMINDER_LOG_SECONDS);

    /** When to connect again by our own doing; 0 if ZeroMQ sees to it. */
    private long retryAtNanos;

    Connection(Target target, String endpoint) {
        this.target = target;
        this.endpoint = endpoint;
        for (RejectReason reason : RejectReason.values()) {
            rejected.put(reason, new AtomicLong());
        }
    }

    Target target() {
        return target;
    }

    int poolIndex() {
        return target.poolIndex();
    }

    String endpoint() {
        return endpoint;
    }

    EndpointState state() {
        return state;
    }

    /**
     * Enters a state or stays in it; true if that is worth a line in the log: a change at most every 10 s, a reminder of
     * trouble that lasts at most once a minute.
     */
    boolean enter(EndpointState next, long nowNanos) {
        boolean changed = state != next;
        if (changed && next == EndpointState.CONNECTED) {
            connects.incrementAndGet();
        }
        state = next;
        Sampler sampler = changed
                ? changeSamplers.computeIfAbsent(next, any -> new Sampler(CHANGE_LOG_SECONDS))
                : reminderSamplers.computeIfAbsent(next, any -> new Sampler(REMINDER_LOG_SECONDS));
        return (changed || next != EndpointState.CONNECTED) && sampler.admit(nowNanos) != Sampler.HELD_BACK;
    }

    void countReceived() {
        received.setRelease(received.getPlain() + 1);
    }

    void countDropped() {
        dropped.setRelease(dropped.getPlain() + 1);
    }

    /** Counts a rejected message; the result is what {@link Sampler#admit} says of logging it. */
    long countRejected(RejectReason reason, long nowNanos) {
        rejected.computeIfAbsent(reason, any -> new AtomicLong()).incrementAndGet();
        return rejectSamplers
                .computeIfAbsent(reason, any -> new Sampler(REJECT_LOG_SECONDS))
                .admit(nowNanos);
    }

    /** Counts a breach of the protocol; the result is what {@link Sampler#admit} says of logging it. */
    long countProtocolError(long nowNanos) {
        protocolErrors.incrementAndGet();
        return breachSampler.admit(nowNanos);
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

    EndpointStatus status() {
        Map<RejectReason, Long> reasons = new EnumMap<>(RejectReason.class);
        rejected.forEach((reason, count) -> {
            if (count.get() > 0) {
                reasons.put(reason, count.get());
            }
        });
        return new EndpointStatus(
                target.poolIndex(),
                target.source().toString(),
                endpoint,
                state,
                received.getAcquire(),
                dropped.getAcquire(),
                reasons,
                protocolErrors.get(),
                connects.get());
    }
}
