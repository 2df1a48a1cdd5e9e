/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.kv.KvReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;

/** The newest reports of each kind from one endpoint about one rank. Not threadsafe. */
final class KvRecord {
    private record Stamped(KvReport report, long receivedNanos) {}

    private final String endpoint;
    private final String workerId;
    private final int dpRank;
    private final Map<KvReport.Kind, Stamped> newest = new EnumMap<>(KvReport.Kind.class);
    private long receivedNanos;

    KvRecord(String endpoint, String workerId, int dpRank) {
        this.endpoint = endpoint;
        this.workerId = workerId;
        this.dpRank = dpRank;
    }

    void accept(KvReport report, long nanos) {
        newest.put(report.kind(), new Stamped(report, nanos));
        receivedNanos = Math.max(receivedNanos, nanos);
    }

    String endpoint() {
        return endpoint;
    }

    String workerId() {
        return workerId;
    }

    int dpRank() {
        return dpRank;
    }

    long receivedNanos() {
        return receivedNanos;
    }

    OptionalLong capacityTokens() {
        return count(KvReport::capacityTokens);
    }

    /** Both together, of two endpoints that report of one rank. */
    static KvView view(List<KvRecord> records) {
        KvRecord merged = new KvRecord(
                records.stream()
                        .max(Comparator.comparingLong(KvRecord::receivedNanos))
                        .map(KvRecord::endpoint)
                        .orElse(""),
                "",
                0);
        records.forEach(record -> record.newest.values().forEach(said -> merged.keepNewer(said)));
        return merged.view();
    }

    private void keepNewer(Stamped said) {
        Stamped known = newest.get(said.report().kind());
        if (known == null || known.receivedNanos() < said.receivedNanos()) {
            accept(said.report(), said.receivedNanos());
        }
    }

    private KvView view() {
        OptionalLong used = count(KvReport::usedTokens);
        OptionalLong capacity = capacityTokens();
        OptionalDouble share = share(KvReport::usedShare);
        if (share.isEmpty() && used.isPresent() && capacity.orElse(0) > 0) {
            share = OptionalDouble.of((double) used.getAsLong() / capacity.getAsLong());
        }
        return new KvView(
                endpoint,
                receivedNanos,
                used,
                capacity,
                count(KvReport::usedBlocks),
                share,
                count(KvReport::runningRequests),
                count(KvReport::maxRequests),
                count(KvReport::waitingRequests),
                share(KvReport::prefixHitShare));
    }

    private OptionalLong count(Function<KvReport, OptionalLong> value) {
        return firstSaid(value, OptionalLong::isPresent, OptionalLong.empty());
    }

    private OptionalDouble share(Function<KvReport, OptionalDouble> value) {
        return firstSaid(value, OptionalDouble::isPresent, OptionalDouble.empty());
    }

    private <T> T firstSaid(Function<KvReport, T> value, Predicate<T> said, T nothing) {
        List<Stamped> newestFirst = new ArrayList<>(newest.values());
        newestFirst.sort(Comparator.comparingLong(Stamped::receivedNanos).reversed());
        return newestFirst.stream()
                .map(stamped -> value.apply(stamped.report()))
                .filter(said)
                .findFirst()
                .orElse(nothing);
    }
}
