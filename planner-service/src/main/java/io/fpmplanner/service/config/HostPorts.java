/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host with one or more ports, {@code HOST:PORT} or {@code HOST:FIRST-LAST}: one port per data-parallel rank.
 *
 * @param host address or name; an IPv6 address without its brackets
 * @param firstPort first TCP port; 1 to 65535
 * @param lastPort last TCP port, inclusive; firstPort to 65535
 */
public record HostPorts(String host, int firstPort, int lastPort) {
    private static final Pattern FORM =
            Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([^\\[\\]:/\\s*\\p{Cntrl}]+)):(\\d{1,5})(?:-(\\d{1,5}))?");

    private static final Pattern DIGITS_AND_DOTS = Pattern.compile("[0-9.]+");
    private static final String OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}");
    /** What a hosts file gives for it; a lookup here would make the check depend on the machine. */
    private static final Set<String> LOCALHOST = Set.of("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");

    public HostPorts {
        hostKeys(host);
        Range.check("port", firstPort, 1, 65_535);
        Range.check("last port", lastPort, firstPort, 65_535);
    }

    /**
     * Reads the form above.
     *
     * @return empty if the text has another form
     * @throws IllegalArgumentException if it has this form with a host or port that cannot be; the message says why
     */
    static Optional<HostPorts> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        int first = Integer.parseInt(matcher.group(3));
        int last = matcher.group(4) == null ? first : Integer.parseInt(matcher.group(4));
        return Optional.of(new HostPorts(host, first, last));
    }

    /** Ports it names. */
    public int ports() {
        return lastPort - firstPort + 1;
    }

    /** What its host is known by, whichever way it is spelt: two specs that share a key mean the same host. */
    Set<String> hostKeys() {
        return hostKeys(host);
    }

    private static Set<String> hostKeys(String host) {
        if (host.contains(":") || DIGITS_AND_DOTS.matcher(host).matches()) {
            return Set.of(literal(host).getHostAddress());
        }
        String name = host.toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
        return name.equals("localhost") ? LOCALHOST : Set.of(name);
    }

    private static InetAddress literal(String host) {
        boolean ipv6 = host.contains(":");
        try {
            if (ipv6 || IPV4.matcher(host).matches()) {
                // No lookup: the text is an address, or is refused at once.
                return InetAddress.getByName(ipv6 ? "[" + host + "]" : host);
            }
        } catch (UnknownHostException e) {
            // Answered below.
        }
        throw new IllegalArgumentException(
                "host must be a name or an address, '" + host + "' is no IPv" + (ipv6 ? "6" : "4") + " address");
    }

    /** Whether both have a port in common, whatever the hosts. */
    boolean sharesPorts(HostPorts other) {
        return firstPort <= other.lastPort && other.firstPort <= lastPort;
    }

    @Override
    public String toString() {
        String hostText = host.contains(":") ? "[" + host + "]" : host;
        return hostText + ":" + firstPort + (lastPort == firstPort ? "" : "-" + lastPort);
    }
}
