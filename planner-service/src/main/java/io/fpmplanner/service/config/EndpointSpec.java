/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A configured source: {@code tcp://HOST:PORT} or {@code tcp://HOST:FIRST-LAST}, one port per data-parallel rank.
 *
 * @param host address or name; an IPv6 address without its brackets
 * @param firstPort first TCP port; 1 to 65535
 * @param lastPort last TCP port, inclusive; firstPort to 65535
 */
public record EndpointSpec(String host, int firstPort, int lastPort) {
    private static final Pattern FORM =
            Pattern.compile("tcp://(?:\\[([0-9a-fA-F:.]+)]|([^\\[\\]:/\\s]+)):(\\d{1,5})(?:-(\\d{1,5}))?");

    public EndpointSpec {
        Range.check("port", firstPort, 1, 65_535);
        Range.check("last port", lastPort, firstPort, 65_535);
    }

    /**
     * Reads the form above.
     *
     * @throws IllegalArgumentException if the text has another form; the message says which is expected
     */
    public static EndpointSpec parse(String text) {
        String trimmed = text.strip();
        Matcher matcher = FORM.matcher(trimmed);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(explain(trimmed));
        }
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        int first = Integer.parseInt(matcher.group(3));
        int last = matcher.group(4) == null ? first : Integer.parseInt(matcher.group(4));
        return new EndpointSpec(host, first, last);
    }

    private static String explain(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        String expected = "must be tcp://HOST:PORT or tcp://HOST:FIRST-LAST, was '" + text + "'";
        if (lower.startsWith("ipc://")) {
            return expected + " (ipc is not supported: bridge it to TCP beside the engine)";
        }
        if (lower.startsWith("tcp://*")) {
            return expected + " (the engine binds tcp://*; name the host that it runs on)";
        }
        return expected;
    }

    /** True if both name a common host and port, compared as text. */
    boolean overlaps(EndpointSpec other) {
        return host.equalsIgnoreCase(other.host) && firstPort <= other.lastPort && other.firstPort <= lastPort;
    }

    @Override
    public String toString() {
        String hostText = host.contains(":") ? "[" + host + "]" : host;
        return "tcp://" + hostText + ":" + firstPort + (lastPort == firstPort ? "" : "-" + lastPort);
    }
}
