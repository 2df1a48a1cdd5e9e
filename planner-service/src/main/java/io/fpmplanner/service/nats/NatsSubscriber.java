/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.nats;

import io.fpmplanner.core.fpm.EventEnvelope;
import io.fpmplanner.core.fpm.EventEnvelopeDecoder;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.service.config.NatsSource;
import io.fpmplanner.service.source.EndpointLedger;
import io.fpmplanner.service.source.EndpointState;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.FrameIntake;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One subscription over one connection. Messages arrive on a thread of the NATS library, one for each connection; they take
 * turns at the ring, which has one producer at a time.
 */
final class NatsSubscriber implements NatsConnection.Events {
    /** Messages that may wait here while the planner is behind; beyond, the library throws the newest away. */
    private static final long PENDING_MESSAGES = 16_384;

    private static final long PENDING_BYTES = 32L << 20;

    private final NatsSource source;
    private final EndpointLedger ledger;
    private final LongSupplier nanoClock;
    private final EventEnvelopeDecoder envelopes = new EventEnvelopeDecoder();
    private final EventEnvelope event = new EventEnvelope();
    private @Nullable Connection connection;
    private @Nullable Dispatcher dispatcher;
    private @Nullable FrameIntake intake;
    private boolean closed;

    NatsSubscriber(int poolIndex, NatsSource source, LongSupplier nanoClock) {
        this.source = source;
        this.nanoClock = nanoClock;
        this.ledger = new EndpointLedger(poolIndex, source.toString(), source.toString(), EndpointState.CONNECTING);
    }

    EndpointStatus status() {
        return ledger.status();
    }

    synchronized void start(FrameIntake shared, Map<String, String> environment) {
        intake = shared;
        String server = (source.tls() ? NatsConnection.TLS : NatsConnection.PLAIN) + source.server();
        NatsConnection.open(server, environment, builder -> {}, this);
    }

    @Override
    public void connected(Connection opened) {
        if (!begin(opened)) {
            closeQuietly(opened); // came too late
        }
    }

    private synchronized boolean begin(Connection opened) {
        if (closed) {
            return false;
        }
        connection = opened;
        if (dispatcher == null) {
            // Once only: after a reconnect the library subscribes again by itself.
            Dispatcher created = opened.createDispatcher(message -> take(message.getData()));
            created.setPendingLimits(PENDING_MESSAGES, PENDING_BYTES);
            created.subscribe(source.subject().text());
            dispatcher = created;
        }
        ledger.enter(EndpointState.CONNECTED, "", nanoClock.getAsLong());
        return true;
    }

    @Override
    public synchronized void disconnected(Connection lost, String why) {
        if (closed) {
            return;
        }
        connection = lost;
        if (!why.isEmpty()) {
            ledger.enter(EndpointState.CONNECTING, why, nanoClock.getAsLong());
        }
    }

    @Override
    public void slow() {
        // What was thrown away shows as gaps of the ranks.
        ledger.countDropped();
    }

    private void take(byte @Nullable [] message) {
        FrameIntake shared = intake;
        if (message == null || shared == null) {
            return;
        }
        RejectReason reason = envelopes.decode(message, 0, message.length, event);
        // The intake and its ring are shared by all subscribers of the source.
        synchronized (shared) {
            if (reason != null) {
                shared.refuse(ledger, reason, message, 0, message.length);
            } else if (event.carriesForwardPass()) {
                shared.event(ledger, event);
            } else if (event.carriesLoad()) {
                shared.load(ledger, event);
            } else {
                ledger.countIgnored();
            }
            shared.flush();
        }
    }

    void close() {
        Connection open;
        synchronized (this) {
            closed = true;
            open = connection;
        }
        // Without the lock: closing waits for listeners that want it.
        if (open != null) {
            closeQuietly(open);
        }
    }

    private static void closeQuietly(Connection open) {
        try {
            open.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
