/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.service.zmtp.SocketKind;
import io.fpmplanner.service.zmtp.ZmtpReactor;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The endpoints that entries have led to. An endpoint that leaves takes its counts along into a sum for its entry, so
 * that totals never fall. Threadsafe by a lock, which the path of a message does not take.
 */
final class ZmtpEndpoints {
    /** Endpoints of all entries together, found or accepted; further ones are turned away. */
    static final int MOST = 10_000;

    /** Name of the line that sums up endpoints that are no more. */
    static final String FORMER = "(former)";

    private static final double LOG_SECONDS = 60;
    private static final Logger log = LoggerFactory.getLogger(ZmtpEndpoints.class);

    private final ZmtpReactor reactor;
    private final FrameIntake intake;
    private final LongSupplier nanoClock;
    private final Map<String, ZmtpEndpoint> byName = new LinkedHashMap<>();
    private final Map<Entry, EndpointCounts> former = new HashMap<>();
    private final Sampler doubles = new Sampler(LOG_SECONDS);
    private final Sampler refusals = new Sampler(LOG_SECONDS);

    private record Entry(int poolIndex, String source) {}

    ZmtpEndpoints(ZmtpReactor reactor, FrameIntake intake, LongSupplier nanoClock) {
        this.reactor = reactor;
        this.intake = intake;
        this.nanoClock = nanoClock;
    }

    /** Connects to an address, by its name in the form of the subscription, unless it is connected to already. */
    synchronized void connect(Subscription subscription, String endpoint, SocketAddress address) {
        ZmtpEndpoint known = byName.get(endpoint);
        if (known != null) {
            boolean other = known.subscription().poolIndex() != subscription.poolIndex()
                    || !known.subscription().spec().equals(subscription.spec());
            if (other && doubles.admit(nanoClock.getAsLong()) != Sampler.HELD_BACK) {
                log.atWarn()
                        .addKeyValue("endpoint", endpoint)
                        .addKeyValue("source", subscription.spec())
                        .addKeyValue("other", known.subscription().spec())
                        .log("two sources lead to one address; it counts for the other");
            }
            return;
        }
        ZmtpEndpoint added = add(subscription, endpoint, null);
        if (added != null) {
            added.link(reactor.connect(SocketKind.SUB, subscription.topics(), address, added));
        }
    }

    /** The endpoint of a peer that connected to us, which tells the ledger of what it connected to; null if there are too many. */
    synchronized @Nullable ZmtpEndpoint accept(Subscription subscription, String endpoint, EndpointLedger server) {
        return add(subscription, endpoint, server);
    }

    private @Nullable ZmtpEndpoint add(Subscription subscription, String endpoint, @Nullable EndpointLedger server) {
        if (byName.size() >= MOST) {
            long heldBack = refusals.admit(nanoClock.getAsLong());
            if (heldBack != Sampler.HELD_BACK) {
                log.atWarn()
                        .addKeyValue("endpoint", endpoint)
                        .addKeyValue("source", subscription.spec())
                        .addKeyValue("most", MOST)
                        .addKeyValue("heldBack", heldBack)
                        .log("too many endpoints; it is turned away");
            }
            return null;
        }
        EndpointLedger ledger = new EndpointLedger(
                subscription.poolIndex(), subscription.spec().toString(), endpoint, EndpointState.CONNECTING);
        ZmtpEndpoint added = new ZmtpEndpoint(
                subscription,
                server == null ? ledger : ledger.quiet(),
                subscription.reader().apply(intake),
                nanoClock,
                new ZmtpEndpoint.Owner(server, this::onClosed));
        byName.put(endpoint, added);
        return added;
    }

    /** Gives up those endpoints of an entry that are not connected and not among the names that it leads to now. */
    synchronized void retain(Subscription subscription, Set<String> names) {
        for (ZmtpEndpoint each : List.copyOf(byName.values())) {
            String name = each.ledger().endpoint();
            if (each.subscription().equals(subscription)
                    && !names.contains(name)
                    && each.ledger().state() != EndpointState.CONNECTED) {
                log.atInfo()
                        .addKeyValue("endpoint", name)
                        .addKeyValue("source", subscription.spec())
                        .log("endpoint is no longer one of its source");
                each.close();
            }
        }
    }

    /** Since when an endpoint is connected, by the clock of all of them; empty while it is not. */
    synchronized OptionalLong connectedNanos(String endpoint) {
        ZmtpEndpoint known = byName.get(endpoint);
        return known == null ? OptionalLong.empty() : known.ledger().connectedNanos();
    }

    /** Gives up the connection to an endpoint, if there is one, for another. */
    synchronized void reconnect(String endpoint, String why) {
        ZmtpEndpoint known = byName.get(endpoint);
        if (known != null) {
            known.reconnect(why);
        }
    }

    private synchronized void onClosed(ZmtpEndpoint ended) {
        EndpointLedger ledger = ended.ledger();
        if (byName.remove(ledger.endpoint(), ended)) {
            Entry entry =
                    new Entry(ledger.poolIndex(), ended.subscription().spec().toString());
            former.merge(entry, ledger.counts(), EndpointCounts::plus);
        }
    }

    /** Whether an entry has led to an endpoint. */
    synchronized boolean has(Subscription subscription) {
        return byName.values().stream().anyMatch(each -> each.subscription().equals(subscription));
    }

    /** All endpoints and the sums of those that are no more. */
    synchronized List<EndpointStatus> status() {
        List<EndpointStatus> all = new ArrayList<>();
        byName.values().forEach(endpoint -> all.add(endpoint.ledger().status()));
        former.forEach((entry, counts) -> all.add(
                new EndpointStatus(entry.poolIndex(), entry.source(), FORMER, EndpointState.FORMER, "", counts)));
        return all;
    }
}
