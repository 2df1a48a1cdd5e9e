/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Puts ranks together to workers, the unit that is scaled. Not threadsafe. */
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

    /** The views of each worker, by their places in the list that was grouped; ranks come and go seldom. */
    private List<int[]> groups = List.of();

    private boolean[] gone = {};
    private long version = -1;

    /**
     * Workers in the order of their identities.
     *
     * @param ranksVersion another number whenever views of other ranks are given
     */
    List<WorkerView> group(List<RankView> ranks, long ranksVersion) {
        if (ranksVersion != version || !isGoneAsBefore(ranks)) {
            regroup(ranks);
            version = ranksVersion;
        }
        List<WorkerView> workers = new ArrayList<>(groups.size());
        for (int[] group : groups) {
            List<RankView> members = new ArrayList<>(group.length);
            for (int place : group) {
                members.add(ranks.get(place));
            }
            workers.add(worker(members));
        }
        return workers;
    }

    private boolean isGoneAsBefore(List<RankView> ranks) {
        boolean same = ranks.size() == gone.length;
        for (int i = 0; same && i < gone.length; i++) {
            same = gone[i] == (ranks.get(i).state() == LivenessState.GONE);
        }
        return same;
    }

    private void regroup(List<RankView> ranks) {
        Integer[] ordered = new Integer[ranks.size()];
        gone = new boolean[ordered.length];
        for (int i = 0; i < ordered.length; i++) {
            ordered[i] = i;
            gone[i] = ranks.get(i).state() == LivenessState.GONE;
        }
        Arrays.sort(ordered, (a, b) -> ORDER.compare(ranks.get(a), ranks.get(b)));
        Map<String, List<List<Integer>>> byIdentity = new TreeMap<>();
        Map<String, Integer> seen = new HashMap<>();
        for (int place : ordered) {
            RankView rank = ranks.get(place);
            String identity = identity(rank);
            int twin = seen.merge(identity + '\n' + rank.dpRank(), 1, Integer::sum) - 1;
            List<List<Integer>> twins = byIdentity.computeIfAbsent(identity, key -> new ArrayList<>());
            while (twins.size() <= twin) {
                twins.add(new ArrayList<>());
            }
            twins.get(twin).add(place);
        }
        groups = byIdentity.values().stream()
                .flatMap(List::stream)
                .map(members -> members.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    /** The groups as last made. */
    List<int[]> groups() {
        return groups;
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
        boolean live = false;
        boolean stale = false;
        boolean stray = false;
        for (RankView rank : ranks) {
            live |= rank.state() == LivenessState.LIVE;
            boolean silent = rank.state() == LivenessState.STALE;
            boolean missed = silent && !Strays.isStray(rank, ranks);
            stale |= missed;
            stray |= silent && !missed;
        }
        LivenessState worst =
                stale || (stray && !live) ? LivenessState.STALE : live ? LivenessState.LIVE : LivenessState.GONE;
        List<Speed> speeds = new ArrayList<>(ranks.size());
        for (RankView rank : ranks) {
            if (rank.state() != LivenessState.GONE) {
                speeds.add(rank.speed());
            }
        }
        return new WorkerView(ranks.get(0).workerId(), worst, ranks, Speed.of(speeds));
    }

    /** The most common number of ranks among live workers, 0 when there is none; of equals the larger. */
    static int ranksPerWorker(List<WorkerView> workers) {
        Map<Integer, Integer> counts = new TreeMap<>();
        for (WorkerView worker : workers) {
            if (worker.state() == LivenessState.LIVE) {
                int live = 0;
                for (RankView rank : worker.ranks()) {
                    live += rank.state() == LivenessState.LIVE ? 1 : 0;
                }
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
