/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How fast ranks were before a restart, until they are heard again. */
final class RememberedSpeeds {
    private final Map<String, PoolMemory.SpeedMemory> speeds = new HashMap<>();

    /** What is known of the speeds of these ranks. */
    static List<PoolMemory.SpeedMemory> of(List<Rank> ranks) {
        List<PoolMemory.SpeedMemory> known = new ArrayList<>();
        for (Rank rank : ranks) {
            if (rank.speed().isKnown()) {
                known.add(rank.speed().memory(identity(rank.last()), rank.last().streamPosition()));
            }
        }
        return known;
    }

    /** Takes in the first so many of what was known. */
    void add(List<PoolMemory.SpeedMemory> known, int most) {
        known.stream().limit(most).forEach(speed -> speeds.put(speed.rank(), speed));
    }

    /** A rank that goes on numbering where it was left is the same engine, as fast as before. */
    void recall(Rank rank, FpmFrame first) {
        PoolMemory.SpeedMemory known = speeds.isEmpty() ? null : speeds.remove(identity(first));
        if (known != null && first.streamPosition() >= known.position()) {
            rank.speed().restore(known);
        }
    }

    private static String identity(FpmFrame frame) {
        return frame.endpoint() + '#' + frame.publisherId() + '#' + frame.workerId() + '#' + frame.dpRank();
    }
}
