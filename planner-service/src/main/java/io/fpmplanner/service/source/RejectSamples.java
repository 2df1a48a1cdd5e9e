/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.RejectReason;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The newest rejected message of each pool and reason, for people. Threadsafe: one thread adds, which it does as seldom as it
 * logs, any may read.
 */
final class RejectSamples {
    private record Key(int poolIndex, RejectReason reason) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byPool = Integer.compare(poolIndex, other.poolIndex);
            return byPool != 0 ? byPool : reason.compareTo(other.reason);
        }
    }

    private final Map<Key, RejectSample> newest = new TreeMap<>();

    /** Keeps one in place of the one before of the same pool and reason. */
    synchronized void keep(RejectSample sample) {
        newest.put(new Key(sample.poolIndex(), sample.reason()), sample);
    }

    /** By pool and reason. */
    synchronized List<RejectSample> all() {
        return List.copyOf(newest.values());
    }
}
