/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A TCP port that we listen on and that ZeroMQ publishers, such as relays, connect to: {@code tcp+bind://ADDRESS:PORT}.
 *
 * @param host address or name to bind, {@code *} for all of this machine
 * @param port TCP port, 0 for one chosen by the operating system; 0 to 65535
 */
public record TcpBindSource(String host, int port) implements SourceSpec {
    /** Stands for every address of this machine. */
    public static final String ANY = "*";

    private static final Pattern ANY_FORM = Pattern.compile("\\*:(\\d{1,5})");
    private static final Pattern PORT_ZERO = Pattern.compile("(.+):0");
    private static final Set<String> WILDCARDS = Set.of(ANY, "0.0.0.0", "::");

    public TcpBindSource {
        if (!host.equals(ANY)) {
            new HostPorts(host, Math.max(1, port), Math.max(1, port));
        }
        Range.check("port", port, 0, 65_535);
    }

    static TcpBindSource parse(String rest) {
        Matcher any = ANY_FORM.matcher(rest);
        if (any.matches()) {
            return new TcpBindSource(ANY, Integer.parseInt(any.group(1)));
        }
        Matcher zero = PORT_ZERO.matcher(rest);
        String known = zero.matches() ? zero.group(1) + ":1" : rest;
        HostPorts place = HostPorts.parse(known)
                .filter(each -> each.ports() == 1 && !rest.contains("-" + each.lastPort()))
                .orElseThrow(() -> SourceScheme.TCP_BIND.malformed(rest));
        return new TcpBindSource(place.host(), zero.matches() ? 0 : place.firstPort());
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
        return samePlace(host, port, other);
    }

    /** Whether another entry binds the port of an address that is also this one's. */
    static boolean samePlace(String host, int port, SourceSpec other) {
        if (other instanceof TcpBindSource bound) {
            return port == bound.port && sameHost(host, bound.host);
        }
        return other instanceof KvBindSource bound && port == bound.port() && sameHost(host, bound.host());
    }

    /** Whether two addresses to bind have one in common. */
    static boolean sameHost(String one, String other) {
        return WILDCARDS.contains(one) || WILDCARDS.contains(other) || one.equalsIgnoreCase(other);
    }

    @Override
    public String toString() {
        return SourceScheme.TCP_BIND.prefix() + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
