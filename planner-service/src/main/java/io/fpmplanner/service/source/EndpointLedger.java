/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.RejectReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The state of one endpoint and what was counted there, with the log lines that tell of it: a change of state at most
 * every 10 s, trouble that lasts at most once a minute.
 *
 * <p>Written by the one thread that receives from the endpoint; {@link #status()} and the getters may be called from any.
 */
public final class EndpointLedger {
    private static final double CHANGE_LOG_SECONDS = 10;
    private static final double REMINDER_LOG_SECONDS = 60;
    private static final double REJECT_LOG_SECONDS = 10;
    private static final Logger log = LoggerFactory.getLogger(EndpointLedger.class);

    private final int poolIndex;
    private final String source;
    private final String endpoint;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong ignored = new AtomicLong();
    private final Map<RejectReason, AtomicLong> rejected = new ConcurrentHashMap<>();
    private final AtomicInteger protocolErrors = new AtomicInteger();
    private final AtomicInteger connects = new AtomicInteger();
    private final Map<EndpointState, Sampler> changeSamplers = new EnumMap<>(EndpointState.class);
    private final Map<EndpointState, Sampler> reminderSamplers = new EnumMap<>(EndpointState.class);
    private final Map<RejectReason, Sampler> rejectSamplers = new EnumMap<>(RejectReason.class);
    private final Sampler breachSampler = new Sampler(REMINDER_LOG_SECONDS);
    private boolean quiet;
    private volatile EndpointState state;
    private volatile long connectedNanos;
    private volatile String detail = "";

    /**
     * An endpoint nothing is known of.
     *
     * @param poolIndex the pool, by order of configuration
     * @param source the configured entry
     * @param endpoint its address, as shown and as stamped on frames
     */
    public EndpointLedger(int poolIndex, String source, String endpoint, EndpointState state) {
        this.poolIndex = poolIndex;
        this.source = source;
        this.endpoint = endpoint;
        this.state = state;
    }

    /** Keeps this one from the log: for peers that come and go, which their bound socket tells of. */
    EndpointLedger quiet() {
        quiet = true;
        return this;
    }

    public int poolIndex() {
        return poolIndex;
    }

    public String endpoint() {
        return endpoint;
    }

    public EndpointState state() {
        return state;
    }

    /** Since when it is connected; empty while it is not. */
    OptionalLong connectedNanos() {
        return state == EndpointState.CONNECTED ? OptionalLong.of(connectedNanos) : OptionalLong.empty();
    }

    /**
     * Enters a state or stays in it, and logs that where it is worth a line.
     *
     * @param why for states of trouble what is wrong, in words; empty otherwise
     */
    public void enter(EndpointState next, String why, long nowNanos) {
        boolean changed = state != next;
        if (changed && next == EndpointState.CONNECTED) {
            connects.setRelease(connects.getPlain() + 1);
            connectedNanos = nowNanos;
        }
        state = next;
        detail = why;
        if (quiet || (!changed && next.isFine())) {
            return;
        }
        Map<EndpointState, Sampler> samplers = changed ? changeSamplers : reminderSamplers;
        double seconds = changed ? CHANGE_LOG_SECONDS : REMINDER_LOG_SECONDS;
        long heldBack =
                samplers.computeIfAbsent(next, any -> new Sampler(seconds)).admit(nowNanos);
        if (heldBack != Sampler.HELD_BACK) {
            line(next.isFine() ? Level.INFO : Level.WARN, why).log(next.sentence());
        }
    }

    /** Counts a message that was accepted. */
    public void countReceived() {
        received.setRelease(received.getPlain() + 1);
    }

    /** Counts a frame that was received and had to make room, or found none. */
    public void countDropped() {
        dropped.setRelease(dropped.getPlain() + 1);
    }

    /** Counts messages that the transport's own numbering shows to be missing. */
    public void countLost(long messages) {
        lost.setRelease(lost.getPlain() + messages);
    }

    /** Counts a message that is meant for others. */
    public void countIgnored() {
        ignored.setRelease(ignored.getPlain() + 1);
    }

    /** Counts a rejected message; the result is what {@link Sampler#admit} says of logging it. */
    long countRejected(RejectReason reason, long nowNanos) {
        rejected.computeIfAbsent(reason, any -> new AtomicLong()).incrementAndGet();
        return rejectSamplers
                .computeIfAbsent(reason, any -> new Sampler(REJECT_LOG_SECONDS))
                .admit(nowNanos);
    }

    /** Counts a connection that was given up for a breach of the protocol or of a limit. */
    public void countProtocolError(String why, long nowNanos) {
        protocolErrors.setRelease(protocolErrors.getPlain() + 1);
        long heldBack = quiet ? Sampler.HELD_BACK : breachSampler.admit(nowNanos);
        if (heldBack != Sampler.HELD_BACK) {
            line(Level.WARN, why).addKeyValue("heldBack", heldBack).log("connection closed for a breach of protocol");
        }
    }

    private LoggingEventBuilder line(Level level, String why) {
        LoggingEventBuilder builder =
                log.atLevel(level).addKeyValue("endpoint", endpoint).addKeyValue("source", source);
        return why.isEmpty() ? builder : builder.addKeyValue("why", why);
    }

    /** Everything counted so far. */
    public EndpointCounts counts() {
        Map<RejectReason, Long> reasons = new EnumMap<>(RejectReason.class);
        rejected.forEach((reason, count) -> reasons.put(reason, count.get()));
        return new EndpointCounts(
                received.getAcquire(),
                dropped.getAcquire(),
                lost.getAcquire(),
                ignored.getAcquire(),
                reasons,
                protocolErrors.getAcquire(),
                connects.getAcquire());
    }

    /** State and counts now. */
    public EndpointStatus status() {
        return new EndpointStatus(poolIndex, source, endpoint, state, detail, counts());
    }
}
