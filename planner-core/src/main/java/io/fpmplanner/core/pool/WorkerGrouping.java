/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Puts ranks together to workers, the unit that is scaled. */
final class WorkerGrouping {
    /*
     * A worker's data-parallel ranks carry one worker id but come from ports, and across nodes from hosts, of their
     * own. Ids may be empty or shared by mistake, so the same rank number twice under one id is two workers; ranks that
     * are not gone are put together first, then those of like addresses. Ranks without an id are taken together by host,
     * or by publisher where an event plane hides the host.
     */
    private static final Comparator<RankView> ORDER = Comparator.comparing(RankView::workerId)
            .thenComparingInt(RankView::dpRank)
            .thenComparing(rank -> rank.state() == LivenessState.GONE)
            .thenComparing(RankView::endpoint)
            .thenComparingLong(RankView::publisherId);

    private WorkerGrouping() {}

    static List<WorkerView> group(List<RankView> ranks) {
        List<RankView> ordered = new ArrayList<>(ranks);
        ordered.sort(ORDER);
        Map<String, List<List<RankView>>> groups = new TreeMap<>();
        Map<String, Integer> seen = new HashMap<>();
        for (RankView rank : ordered) {
            String identity = identity(rank);
            int twin = seen.merge(identity + '\n' + rank.dpRank(), 1, Integer::sum) - 1;
            List<List<RankView>> twins = groups.computeIfAbsent(identity, key -> new ArrayList<>());
            while (twins.size() <= twin) {
                twins.add(new ArrayList<>());
            }
            twins.get(twin).add(rank);
        }
        List<WorkerView> workers = new ArrayList<>();
        groups.values().forEach(twins -> twins.forEach(members -> workers.add(worker(members))));
        return workers;
    }

    private static String identity(RankView rank) {
        if (!rank.workerId().isEmpty()) {
            return "id\n" + rank.workerId();
        }
        boolean direct = rank.publisherId() == FpmFrame.NO_PUBLISHER;
        return direct ? "host\n" + host(rank.endpoint()) : "publisher\n" + rank.endpoint() + '\n' + rank.publisherId();
    }

    /**
     * The endpoint without what tells the ranks of one engine apart: {@code tcp://10.0.0.7:20381} and {@code ...:20380}
     * are one host, {@code ipc:///run/fpm.0} and {@code ...fpm.1} are one engine's files.
     */
    static String host(String endpoint) {
        if (endpoint.startsWith("ipc:")) {
            int end = endpoint.length();
            while (end > 0 && Character.isDigit(endpoint.charAt(end - 1))) {
                end--;
            }
            return end > 0 && end < endpoint.length() && endpoint.charAt(end - 1) == '.'
                    ? endpoint.substring(0, end - 1)
                    : endpoint;
        }
        int colon = endpoint.lastIndexOf(':');
        return colon > endpoint.indexOf("://") ? endpoint.substring(0, colon) : endpoint;
    }

    private static WorkerView worker(List<RankView> ranks) {
        LivenessState worst = LivenessState.GONE;
        for (RankView rank : ranks) {
            if (rank.state() == LivenessState.STALE) {
                worst = LivenessState.STALE;
                break;
            }
            if (rank.state() == LivenessState.LIVE) {
                worst = LivenessState.LIVE;
            }
        }
        List<Speed> speeds = ranks.stream()
                .filter(rank -> rank.state() != LivenessState.GONE)
                .map(RankView::speed)
                .toList();
        return new WorkerView(ranks.get(0).workerId(), worst, ranks, Speed.of(speeds));
    }

    /** The most common number of ranks among live workers, 0 when there is none; of equals the larger. */
    static int ranksPerWorker(List<WorkerView> workers) {
        Map<Integer, Integer> counts = new TreeMap<>();
        for (WorkerView worker : workers) {
            if (worker.state() == LivenessState.LIVE) {
                int live = (int) worker.ranks().stream()
                        .filter(rank -> rank.state() == LivenessState.LIVE)
                        .count();
                counts.merge(live, 1, Integer::sum);
            }
        }
        int best = 0;
        int most = 0;
        for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
            if (entry.getValue() >= most) {
                most = entry.getValue();
                best = entry.getKey();
            }
        }
        return best;
    }
}
