/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address that SGLang's schedulers push their KvMetrics to: {@code kv+tcp+bind://ADDRESS:PORT}.
 *
 * @param host address of an interface, or {@code *} for all; an IPv6 address without its brackets
 * @param port TCP port, 0 for any that is free
 */
public record KvBindSource(String host, int port) implements SourceSpec {
    private static final Pattern FORM =
            Pattern.compile("(\\*|[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|\\[[0-9a-fA-F:.]+]):([0-9]{1,5})");

    public KvBindSource {
        Range.check("port", port, 0, 65_535);
    }

    static KvBindSource parse(String rest) {
        Matcher matcher = FORM.matcher(rest);
        if (!matcher.matches()) {
            throw SourceScheme.KV_TCP_BIND.malformed(rest);
        }
        return new KvBindSource(matcher.group(1).replace("[", "").replace("]", ""), Integer.parseInt(matcher.group(2)));
    }

    @Override
    public int endpoints() {
        return 1;
    }

    @Override
    public Set<String> keys() {
        return port == 0 ? Set.of() : Set.of("bind:" + port);
    }

    @Override
    public boolean overlaps(SourceSpec other) {
        return TcpBindSource.samePlace(host, port, other);
    }

    /** Address and port as they stand in an endpoint. */
    public String address() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    @Override
    public String toString() {
        return SourceScheme.KV_TCP_BIND.prefix() + address();
    }
}
