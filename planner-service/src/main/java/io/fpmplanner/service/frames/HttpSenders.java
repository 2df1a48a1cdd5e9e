/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.frames;

import io.fpmplanner.service.config.HttpSource;
import io.fpmplanner.service.source.EndpointLedger;
import io.fpmplanner.service.source.EndpointState;
import io.fpmplanner.service.source.EndpointStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who has posted frames. Written by the HTTP event loop alone; {@link #status()} may be called from any thread.
 *
 * <p>A sender that was silent for ten minutes is forgotten when room is needed: names are the senders' choice, and memory
 * must not grow with them.
 */
final class HttpSenders {
    static final int MOST_SENDERS = 10_000;

    private static final long FORGOTTEN_AFTER_NANOS = 600_000_000_000L;
    private static final String SOURCE = new HttpSource().toString();

    private final Map<Key, Sender> senders = new ConcurrentHashMap<>();
    private final LongSupplier nanoClock;
    private final int most;

    private record Key(int poolIndex, String name) {}

    private static final class Sender {
        private final EndpointLedger ledger;
        private long lastNanos;

        Sender(EndpointLedger ledger) {
            this.ledger = ledger;
        }
    }

    HttpSenders(LongSupplier nanoClock) {
        this(nanoClock, MOST_SENDERS);
    }

    HttpSenders(LongSupplier nanoClock, int most) {
        this.nanoClock = nanoClock;
        this.most = most;
    }

    /** The book of a sender, begun if it is new; null if there are too many others. */
    @Nullable
    EndpointLedger of(int poolIndex, String name) {
        Key key = new Key(poolIndex, name);
        long nowNanos = nanoClock.getAsLong();
        Sender sender = senders.get(key);
        if (sender == null) {
            if (senders.size() >= most) {
                senders.values().removeIf(other -> nowNanos - other.lastNanos > FORGOTTEN_AFTER_NANOS);
            }
            if (senders.size() >= most) {
                return null;
            }
            EndpointLedger ledger = new EndpointLedger(poolIndex, SOURCE, "http://" + name, EndpointState.CONNECTING);
            ledger.enter(EndpointState.CONNECTED, "", nowNanos);
            sender = new Sender(ledger);
            senders.put(key, sender);
        }
        sender.lastNanos = nowNanos;
        return sender.ledger;
    }

    List<EndpointStatus> status() {
        return senders.values().stream().map(sender -> sender.ledger.status()).toList();
    }
}
