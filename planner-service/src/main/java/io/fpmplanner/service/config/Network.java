/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;

/** A range of addresses such as 10.0.0.0/8, fd00::/8 or a single one. Immutable. */
public final class Network {
    private static final Pattern LITERAL = Pattern.compile("[0-9a-fA-F.:]+");

    private final String text;
    private final int bytes;
    private final BigInteger prefix;
    private final int ignoredBits;

    private Network(String text, byte[] address, int prefixBits) {
        this.text = text;
        this.bytes = address.length;
        this.ignoredBits = 8 * address.length - prefixBits;
        this.prefix = new BigInteger(1, address).shiftRight(ignoredBits);
    }

    /**
     * Reads one; names are not looked up.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Network parse(String text) {
        String[] parts = text.split("/", -1);
        try {
            if (parts.length > 2 || !LITERAL.matcher(parts[0]).matches() || !parts[0].matches(".*[.:].*")) {
                throw new IllegalArgumentException();
            }
            byte[] address = InetAddress.getByName(parts[0]).getAddress();
            int bits = parts.length == 1 ? 8 * address.length : Integer.parseInt(parts[1]);
            if (bits < 0 || bits > 8 * address.length) {
                throw new IllegalArgumentException();
            }
            return new Network(text, address, bits);
        } catch (UnknownHostException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' must be an address or a network such as 10.0.0.0/8 or fd00::/8", e);
        }
    }

    /** Whether an address lies in it. */
    public boolean contains(InetAddress address) {
        byte[] raw = address.getAddress();
        return raw.length == bytes
                && new BigInteger(1, raw).shiftRight(ignoredBits).equals(prefix);
    }

    /** Whether an address lies in one of them, or there is none. */
    public static boolean allow(List<Network> networks, InetAddress address) {
        return networks.isEmpty() || networks.stream().anyMatch(network -> network.contains(address));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Network network && network.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
