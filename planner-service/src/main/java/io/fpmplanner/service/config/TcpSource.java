/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Set;

/**
 * ZeroMQ publishers that listen on TCP, as vLLM and Dynamo offer them: {@code tcp://HOST:PORT} or {@code
 * tcp://HOST:FIRST-LAST}.
 *
 * @param target host and ports to connect to; a host name may stand for many addresses
 */
public record TcpSource(HostPorts target) implements SourceSpec {
    static TcpSource parse(String rest) {
        return new TcpSource(HostPorts.parse(rest).orElseThrow(() -> {
            if (rest.startsWith("*")) {
                return new IllegalArgumentException(
                        SourceScheme.TCP.malformed(rest).getMessage()
                                + " (the engine binds tcp://*; name the host that it runs on)");
            }
            return SourceScheme.TCP.malformed(rest);
        }));
    }

    @Override
    public int endpoints() {
        return target.ports();
    }

    @Override
    public Set<String> keys() {
        return target.hostKeys();
    }

    @Override
    public boolean overlaps(SourceSpec other) {
        return other instanceof TcpSource tcp ? target.sharesPorts(tcp.target) : other.overlaps(this);
    }

    @Override
    public String toString() {
        return SourceScheme.TCP.prefix() + target;
    }
}
