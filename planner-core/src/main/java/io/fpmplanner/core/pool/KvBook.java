/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.kv.KvReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** KV telemetry of a pool: what was said, and of which rank. Not threadsafe. */
final class KvBook {
    /* A hundred times what fits on the largest node: beyond it a number is no capacity. */
    private static final long MOST_TOKENS = 1L << 32;

    /*
     * Reports that name their worker go to it. Others name a data-parallel rank only: they go to the rank of that number on
     * the host they come from, or, where addresses do not tell (a Unix socket, a proxy), to the pool's only rank of that
     * number. Where several could be meant, nobody is.
     */
    private record Key(String endpoint, String workerId, int dpRank) {}

    private final int most;
    private final Map<Key, KvRecord> records = new HashMap<>();
    private long accepted;
    private long refused;
    private int unmatched;

    KvBook(int most) {
        this.most = most;
    }

    void accept(String endpoint, KvReport report, long nowNanos) {
        Key key = new Key(endpoint, report.workerId(), report.dpRank().orElse(0));
        KvRecord kept = records.get(key);
        if (kept == null) {
            if (records.size() >= most) {
                refused++;
                return;
            }
            kept = new KvRecord(key.endpoint(), key.workerId(), key.dpRank());
            records.put(key, kept);
        }
        accepted++;
        kept.accept(report, nowNanos);
    }

    void forget(long nowNanos, double afterSeconds) {
        records.values().removeIf(kept -> (nowNanos - kept.receivedNanos()) / 1e9 > afterSeconds);
    }

    /** Tells each reading what was said of its rank. */
    void tell(List<RankReading> readings) {
        unmatched = 0;
        if (records.isEmpty()) {
            return;
        }
        Map<String, List<RankReading>> candidates = candidates(readings);
        IdentityHashMap<RankReading, List<KvRecord>> told = new IdentityHashMap<>();
        for (KvRecord kept : records.values()) {
            List<RankReading> meant = kept.workerId().isEmpty()
                    ? candidates.getOrDefault(
                            onHost(WorkerGrouping.host(kept.endpoint()), kept.dpRank()),
                            candidates.getOrDefault(anywhere(kept.dpRank()), List.of()))
                    : candidates.getOrDefault(ofWorker(kept.workerId(), kept.dpRank()), List.of());
            if (meant.size() == 1) {
                told.computeIfAbsent(meant.get(0), key -> new ArrayList<>()).add(kept);
            } else {
                unmatched++;
            }
        }
        told.forEach((reading, kept) -> reading.kv = KvRecord.view(kept));
    }

    private static Map<String, List<RankReading>> candidates(List<RankReading> readings) {
        Map<String, List<RankReading>> candidates = new HashMap<>();
        for (RankReading reading : readings) {
            if (reading.state != LivenessState.GONE) {
                FpmFrame last = reading.rank.last();
                add(candidates, ofWorker(last.workerId(), last.dpRank()), reading);
                add(candidates, onHost(WorkerGrouping.host(last.endpoint()), last.dpRank()), reading);
                add(candidates, anywhere(last.dpRank()), reading);
            }
        }
        return candidates;
    }

    private static void add(Map<String, List<RankReading>> candidates, String key, RankReading reading) {
        candidates.computeIfAbsent(key, any -> new ArrayList<>(1)).add(reading);
    }

    private static String ofWorker(String workerId, int dpRank) {
        return "worker " + dpRank + ' ' + workerId;
    }

    private static String onHost(String host, int dpRank) {
        return "host " + dpRank + ' ' + host;
    }

    private static String anywhere(int dpRank) {
        return "any " + dpRank;
    }

    /** Median of the capacities reported; of two the smaller, which promises less. */
    OptionalLong capacityTokensPerRank() {
        long[] sorted = records.values().stream()
                .map(KvRecord::capacityTokens)
                .flatMapToLong(OptionalLong::stream)
                .filter(tokens -> tokens > 0 && tokens <= MOST_TOKENS)
                .sorted()
                .toArray();
        return sorted.length == 0 ? OptionalLong.empty() : OptionalLong.of(sorted[(sorted.length - 1) / 2]);
    }

    /**
     * The pool as a whole, after {@link #tell}.
     *
     * @param freshSeconds age up to which a share in use counts
     */
    KvView.Summary summary(List<RankReading> readings, long nowNanos, double freshSeconds) {
        double sum = 0;
        int ranks = 0;
        for (RankReading reading : readings) {
            KvView kv = reading.kv;
            if (kv != null
                    && reading.state == LivenessState.LIVE
                    && kv.usedShare().isPresent()
                    && (nowNanos - kv.receivedNanos()) / 1e9 <= freshSeconds) {
                sum += kv.usedShare().getAsDouble();
                ranks++;
            }
        }
        OptionalDouble share = ranks == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / ranks);
        return new KvView.Summary(accepted, refused, unmatched, capacityTokensPerRank(), share);
    }
}
