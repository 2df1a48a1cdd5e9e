/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import io.fpmplanner.service.zmtp.LinkListener;
import io.fpmplanner.service.zmtp.SocketKind;
import io.fpmplanner.service.zmtp.ZmtpLink;
import io.fpmplanner.service.zmtp.ZmtpMessage;
import io.fpmplanner.service.zmtp.ZmtpReactor;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** One endpoint with outlets of its own, and what was counted between them. */
final class RelayLine implements LinkListener {
    private final String name;
    private final List<Outlet> outlets;
    private final ZmtpLink link;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    /** Subscribes at the address to everything. */
    RelayLine(String name, SocketAddress address, List<Outlet> outlets, ZmtpReactor reactor) {
        this.name = name;
        this.outlets = List.copyOf(outlets);
        this.link = reactor.connect(SocketKind.SUB, List.of(new byte[0]), address, this);
    }

    String name() {
        return name;
    }

    @Override
    public void message(ZmtpMessage message) {
        received.incrementAndGet();
        for (Outlet outlet : outlets) {
            (outlet.send(message) ? sent : dropped).incrementAndGet();
        }
    }

    @Override
    public void connected() {
        // The counts tell; an engine that is away is tried again for ever.
    }

    @Override
    public void disconnected(String why) {}

    @Override
    public void incompatible(String why) {}

    @Override
    public void breached(String why) {}

    /** On the reactor's thread, after a batch. */
    void flush() {
        for (Outlet outlet : outlets) {
            outlet.flush();
        }
    }

    /** Looks after the other sides; true if all of them take messages. On the command's thread. */
    boolean look() {
        boolean taken = true;
        for (Outlet outlet : outlets) {
            outlet.look();
            taken &= outlet.isTaken();
        }
        return taken;
    }

    RelayCounts counts() {
        return new RelayCounts(received.get(), sent.get(), dropped.get());
    }

    void close() {
        link.close();
        outlets.forEach(Outlet::close);
    }
}
