/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.RejectReason;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The newest rejected message of each pool and reason, for people. Threadsafe: one thread adds, which it does as seldom as it
 * logs, any may read.
 */
final class RejectSamples {
    static final int MOST_BYTES = 64;

    private record Key(int poolIndex, RejectReason reason) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byPool = Integer.compare(poolIndex, other.poolIndex);
            return byPool != 0 ? byPool : reason.compareTo(other.reason);
        }
    }

    private final Map<Key, RejectSample> newest = new TreeMap<>();

    /** Keeps the first bytes of a message. */
    synchronized void keep(
            EndpointLedger from, RejectReason reason, long nowNanos, byte[] buffer, int offset, int length) {
        String prefix = HexFormat.of().formatHex(buffer, offset, offset + Math.min(length, MOST_BYTES));
        newest.put(
                new Key(from.poolIndex(), reason),
                new RejectSample(from.poolIndex(), from.endpoint(), reason, nowNanos, length, prefix));
    }

    /** By pool and reason. */
    synchronized List<RejectSample> all() {
        return List.copyOf(newest.values());
    }
}
