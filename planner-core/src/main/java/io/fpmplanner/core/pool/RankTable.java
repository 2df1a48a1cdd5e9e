/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Ranks by the identity in a frame. Finding one allocates nothing. Not threadsafe. */
final class RankTable {
    /*
     * Open addressing with linear probing, keyed by the frame itself: a HashMap would need a key object per frame, and
     * worker ids are bytes that need not be UTF-8.
     */
    private final List<Rank> ranks = new ArrayList<>();
    private @Nullable Rank[] slots = new Rank[64];

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

    void add(Rank rank) {
        ranks.add(rank);
        if (2 * ranks.size() > slots.length) {
            rebuild(2 * slots.length);
        } else {
            place(rank);
        }
    }

    void removeIf(Predicate<Rank> condition) {
        if (ranks.removeIf(condition)) {
            rebuild(slots.length);
        }
    }

    int size() {
        return ranks.size();
    }

    /** All ranks in the order in which they were first seen. */
    List<Rank> all() {
        return ranks;
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
