/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Set;

/**
 * Publishers of SGLang's LoadStat that listen on TCP: {@code kv+tcp://HOST:PORT} or {@code kv+tcp://HOST:FIRST-LAST}, one
 * port per data-parallel rank.
 *
 * @param target host and ports to connect to; a host name may stand for many addresses
 */
public record KvConnectSource(HostPorts target) implements SourceSpec {
    static KvConnectSource parse(String rest) {
        return new KvConnectSource(HostPorts.parse(rest).orElseThrow(() -> SourceScheme.KV_TCP.malformed(rest)));
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
        return other instanceof KvConnectSource kv && target.sharesPorts(kv.target);
    }

    @Override
    public String toString() {
        return SourceScheme.KV_TCP.prefix() + target;
    }
}
