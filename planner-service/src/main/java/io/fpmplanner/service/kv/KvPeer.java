/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.kv;

import io.fpmplanner.service.config.KvConnectSource;
import io.fpmplanner.service.source.PoolSource;
import java.net.InetAddress;

/**
 * One LoadStat publisher.
 *
 * @param source the entry that leads to it
 * @param address where it is
 * @param port its TCP port; its distance from the entry's first is its rank, where its messages do not say
 */
record KvPeer(PoolSource<KvConnectSource> source, InetAddress address, int port) {
    /** What to connect to. */
    String endpoint() {
        String text = address.getHostAddress();
        return "tcp://" + (text.contains(":") ? "[" + text + "]" : text) + ":" + port;
    }

    /** How ZeroMQ names it in the metadata of a message. */
    String peer() {
        return address.getHostAddress() + ":" + port;
    }

    int rank() {
        return port - source.spec().target().firstPort();
    }
}
