/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import io.fpmplanner.service.config.HostPorts;
import io.fpmplanner.service.zmtp.LinkListener;
import io.fpmplanner.service.zmtp.SocketKind;
import io.fpmplanner.service.zmtp.ZmtpLink;
import io.fpmplanner.service.zmtp.ZmtpMessage;
import io.fpmplanner.service.zmtp.ZmtpReactor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to a subscriber that is bound somewhere, over a connection of its own, so that the subscriber can tell the
 * endpoints apart. While it is away its name is looked up again: a planner may come back elsewhere.
 */
final class ZmtpOutlet implements Outlet, LinkListener {
    private final ZmtpReactor reactor;
    private final HostPorts target;
    private @Nullable volatile ZmtpLink link;
    private @Nullable InetAddress address;
    private volatile boolean taken;

    ZmtpOutlet(ZmtpReactor reactor, HostPorts target) {
        this.reactor = reactor;
        this.target = target;
        look();
    }

    @Override
    public void look() {
        if (taken) {
            return;
        }
        try {
            InetAddress found = InetAddress.getByName(target.host());
            if (!found.equals(address)) {
                address = found;
                ZmtpLink before = link;
                link = reactor.connect(
                        SocketKind.PUB, List.of(), new InetSocketAddress(found, target.firstPort()), this);
                if (before != null) {
                    before.close();
                }
            }
        } catch (UnknownHostException e) {
            // Looked up again in a second; the state is told by what is dropped.
        }
    }

    @Override
    public boolean send(ZmtpMessage message) {
        ZmtpLink open = link;
        return open != null && open.publish(message);
    }

    @Override
    public void flush() {
        ZmtpLink open = link;
        if (open != null) {
            open.flush();
            taken = open.isSubscribed();
        }
    }

    @Override
    public boolean isTaken() {
        return taken;
    }

    @Override
    public void connected() {
        // Taken only when the other side has subscribed.
    }

    @Override
    public void disconnected(String why) {
        taken = false;
    }

    @Override
    public void incompatible(String why) {
        taken = false;
    }

    @Override
    public void breached(String why) {
        taken = false;
    }

    @Override
    public void message(ZmtpMessage message) {
        // A publisher is sent nothing.
    }

    @Override
    public void close() {
        ZmtpLink open = link;
        if (open != null) {
            open.close();
        }
    }
}
