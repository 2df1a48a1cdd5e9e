/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import io.fpmplanner.service.source.HostResolver;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** A name server for the drills: every name stands for this machine, as long as the server is there. Threadsafe. */
final class Names implements HostResolver.Lookup {
    private volatile boolean gone;

    void gone(boolean is) {
        gone = is;
    }

    @Override
    public List<InetAddress> all(String host) throws UnknownHostException {
        if (gone) {
            throw new UnknownHostException(host);
        }
        return List.of(InetAddress.getLoopbackAddress());
    }
}
