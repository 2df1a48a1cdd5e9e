/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The prefixes that a peer has subscribed to. Not threadsafe. */
final class Subscriptions {
    /** Further ones are not taken in: no subscriber of frames has more than a few. */
    private static final int MOST = 256;

    private final List<byte[]> prefixes = new ArrayList<>();

    void add(byte[] prefix) {
        if (prefixes.size() < MOST) {
            prefixes.add(prefix);
        }
    }

    /** Takes one subscription to the prefix back. */
    void cancel(byte[] prefix) {
        for (int i = 0; i < prefixes.size(); i++) {
            if (Arrays.equals(prefixes.get(i), prefix)) {
                prefixes.remove(i);
                return;
            }
        }
    }

    boolean isEmpty() {
        return prefixes.isEmpty();
    }

    /** Whether the first part of a message begins with one of them. */
    boolean match(ZmtpMessage message) {
        int at = message.offset(0);
        int length = message.length(0);
        for (byte[] prefix : prefixes) {
            if (prefix.length <= length
                    && Arrays.equals(prefix, 0, prefix.length, message.buffer(), at, at + prefix.length)) {
                return true;
            }
        }
        return false;
    }
}
