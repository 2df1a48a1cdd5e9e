/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Ranks that a corrupt or forged identity may have made: heard once, or never at work where another rank works. They are
 * shown, and nothing is held for them when they are not heard again.
 */
final class Strays {
    /*
     * One flipped bit in a worker id or rank number makes a new rank that is heard once. In the name of a field it makes the
     * field absent, and frames of many such flips all come from one nameless rank; but unlike an engine, which has a socket or
     * a publisher of its own, it has one that another rank works on.
     */
    private Strays() {}

    /** Whether nothing need be held for a rank of this worker when it falls silent. */
    static boolean isStray(RankView rank, List<RankView> ofItsWorker) {
        return isHeardOnce(rank)
                || (hasNeverWorked(rank)
                        && ofItsWorker.stream()
                                .anyMatch(other -> place(other).equals(place(rank)) && !hasNeverWorked(other)));
    }

    /** Live workers of a pool for which nothing need be held when they fall silent. */
    static int newcomers(List<WorkerView> workers) {
        List<RankView> lone = workers.stream()
                .filter(worker ->
                        worker.state() == LivenessState.LIVE && worker.ranks().size() == 1)
                .map(worker -> worker.ranks().get(0))
                .filter(rank -> isHeardOnce(rank) || hasNeverWorked(rank))
                .toList();
        // Usually there is none, and nothing to compare with need be collected.
        Set<String> places = lone.isEmpty() ? Set.of() : placesOfWork(workers);
        return (int) lone.stream()
                .filter(rank -> isHeardOnce(rank) || places.contains(place(rank)))
                .count();
    }

    private static Set<String> placesOfWork(List<WorkerView> workers) {
        Set<String> places = new HashSet<>();
        for (WorkerView worker : workers) {
            for (RankView rank : worker.ranks()) {
                if (!hasNeverWorked(rank)) {
                    places.add(place(rank));
                }
            }
        }
        return places;
    }

    private static boolean isHeardOnce(RankView rank) {
        return rank.counters().framesReceived() < 2;
    }

    private static boolean hasNeverWorked(RankView rank) {
        return rank.counters().framesReceived() == rank.counters().heartbeats();
    }

    private static String place(RankView rank) {
        return rank.endpoint() + '@' + rank.publisherId();
    }
}
