/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.service.zmtp.LinkListener;
import io.fpmplanner.service.zmtp.ZmtpLink;
import io.fpmplanner.service.zmtp.ZmtpMessage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** An endpoint as the reactor's thread sees it: its ledger, its reader and its link. Used by that thread alone. */
final class ZmtpEndpoint implements LinkListener {
    /**
     * Who is told of an endpoint's fate.
     *
     * @param server the bound socket that its peer connected to, which counts peers that are none; null if we connected
     * @param onClosed told when the link is closed
     */
    record Owner(@Nullable EndpointLedger server, Consumer<ZmtpEndpoint> onClosed) {}

    private final Subscription subscription;
    private final EndpointLedger ledger;
    private final MessageReader reader;
    private final LongSupplier nanoClock;
    private final Owner owner;

    @Nullable
    private ZmtpLink link;

    ZmtpEndpoint(
            Subscription subscription,
            EndpointLedger ledger,
            MessageReader reader,
            LongSupplier nanoClock,
            Owner owner) {
        this.subscription = subscription;
        this.ledger = ledger;
        this.reader = reader;
        this.nanoClock = nanoClock;
        this.owner = owner;
    }

    Subscription subscription() {
        return subscription;
    }

    EndpointLedger ledger() {
        return ledger;
    }

    /** Remembers the link, so that it can be closed. */
    void link(ZmtpLink made) {
        link = made;
    }

    void close() {
        if (link != null) {
            link.close();
        }
    }

    void reconnect(String why) {
        if (link != null) {
            link.reconnect(why);
        }
    }

    @Override
    public void connected() {
        ledger.enter(EndpointState.CONNECTED, "", nanoClock.getAsLong());
    }

    @Override
    public void disconnected(String why) {
        ledger.enter(EndpointState.CONNECTING, why, nanoClock.getAsLong());
    }

    @Override
    public void incompatible(String why) {
        tellServer(why);
        ledger.enter(EndpointState.INCOMPATIBLE, why, nanoClock.getAsLong());
    }

    @Override
    public void breached(String why) {
        tellServer(why);
        ledger.countProtocolError(why, nanoClock.getAsLong());
        ledger.enter(EndpointState.CONNECTING, why, nanoClock.getAsLong());
    }

    /* A peer that connected to us is gone the next moment, and its log lines with it. */
    private void tellServer(String why) {
        if (owner.server() != null) {
            owner.server().countProtocolError(ledger.endpoint() + ": " + why, nanoClock.getAsLong());
        }
    }

    @Override
    public void message(ZmtpMessage message) {
        reader.read(ledger, message);
    }

    @Override
    public void closed() {
        owner.onClosed().accept(this);
    }
}
