/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Ranks by the identity in a frame, and the groups they form. Finding one allocates nothing. Not threadsafe. */
final class RankTable {
    /*
     * Open addressing with linear probing, keyed by the frame itself: a HashMap would need a key object per frame, and
     * worker ids are bytes that need not be UTF-8.
     */
    private final List<Rank> ranks = new ArrayList<>();
    private @Nullable Rank[] slots = new Rank[64];

    /** What ranks share a stream and a worker. */
    private record GroupKey(String endpoint, long publisherId, String workerId) {
        static GroupKey of(FpmFrame frame) {
            return new GroupKey(frame.endpoint(), frame.publisherId(), frame.workerId());
        }
    }

    private final Map<GroupKey, RankGroup> groups = new HashMap<>();
    private final Map<String, Seat> seats = new HashMap<>();
    private long version;
    private RankCounters left = RankCounters.NONE;

    @Nullable
    Rank find(FpmFrame frame) {
        int mask = slots.length - 1;
        for (int i = Rank.hashOf(frame) & mask; ; i = (i + 1) & mask) {
            Rank rank = slots[i];
            if (rank == null || rank.isFor(frame)) {
                return rank;
            }
        }
    }

    /** Adds the rank of a frame that was not found. */
    Rank add(FpmFrame frame, StepBudget budget, EndpointBook.Counts endpoint) {
        RankGroup group = groups.computeIfAbsent(GroupKey.of(frame), key -> new RankGroup());
        Rank rank = new Rank(frame, budget, endpoint, group);
        group.join(rank);
        endpoint.ranks(1);
        ranks.add(rank);
        version++;
        rank.sit(
                seats.computeIfAbsent(Seat.ofRank(frame), place -> new Seat()),
                Seat.ofReturn(frame)
                        .map(place -> seats.computeIfAbsent(place, key -> new Seat()))
                        .orElse(null));
        if (2 * ranks.size() > slots.length) {
            rebuild(2 * slots.length);
        } else {
            place(rank);
        }
        return rank;
    }

    void removeIf(Predicate<Rank> condition) {
        int before = ranks.size();
        ranks.removeIf(rank -> {
            boolean leaves = condition.test(rank);
            if (leaves) {
                leave(rank);
            }
            return leaves;
        });
        if (ranks.size() < before) {
            version++;
            rebuild(slots.length);
            seats.values().forEach(Seat::clear);
            ranks.forEach(Rank::takeSeats);
            seats.values().removeIf(Seat::isEmpty);
        }
    }

    private void leave(Rank rank) {
        left = left.plus(rank.counters());
        rank.group().leave(rank);
        rank.endpointCounts().ranks(-1);
        if (rank.group().isEmpty()) {
            groups.remove(GroupKey.of(rank.last()));
        }
    }

    int size() {
        return ranks.size();
    }

    /** What those counted that were removed. */
    RankCounters left() {
        return left;
    }

    /** Another number whenever a rank was added or removed. */
    long version() {
        return version;
    }

    /** All ranks in the order in which they were first seen. */
    List<Rank> all() {
        return ranks;
    }

    Iterable<RankGroup> groups() {
        return groups.values();
    }

    private void rebuild(int capacity) {
        slots = new Rank[capacity];
        ranks.forEach(this::place);
    }

    private void place(Rank rank) {
        int mask = slots.length - 1;
        int i = rank.hash() & mask;
        while (slots[i] != null) {
            i = (i + 1) & mask;
        }
        slots[i] = rank;
    }
}
