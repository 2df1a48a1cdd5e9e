/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.service.config.HostPorts;
import io.fpmplanner.service.config.TcpSource;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * One host and port of a configured source. A name may stand for many addresses, hence for many connections.
 *
 * @param poolIndex the pool, by order of configuration
 * @param source the configured entry
 * @param host address or name
 * @param port TCP port
 */
record Target(int poolIndex, TcpSource source, String host, int port) {
    static List<Target> of(List<PoolSource<TcpSource>> sources) {
        List<Target> targets = new ArrayList<>();
        for (PoolSource<TcpSource> source : sources) {
            HostPorts hosts = source.spec().target();
            for (int port = hosts.firstPort(); port <= hosts.lastPort(); port++) {
                targets.add(new Target(source.poolIndex(), source.spec(), hosts.host(), port));
            }
        }
        return List.copyOf(targets);
    }

    /** How the target is called while it has no address. */
    String unresolvedEndpoint() {
        return "tcp://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** What to connect to at one of its addresses. */
    String endpoint(InetAddress address) {
        String text = address.getHostAddress();
        return "tcp://" + (text.contains(":") ? "[" + text + "]" : text) + ":" + port;
    }

    /** How ZeroMQ names the peer at one of its addresses in the metadata of a message. */
    String peer(InetAddress address) {
        return address.getHostAddress() + ":" + port;
    }
}
