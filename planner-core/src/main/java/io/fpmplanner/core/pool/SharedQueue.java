/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** Spreads the queue that rank 0 tells for all ranks of its engine evenly over them. */
final class SharedQueue {
    private SharedQueue() {}

    /** Spreads the queues of all groups that share one over their live ranks. */
    static void spread(List<RankReading> readings) {
        IdentityHashMap<RankGroup, List<RankReading>> sharing = new IdentityHashMap<>();
        for (RankReading reading : readings) {
            RankGroup group = reading.rank.group();
            if (reading.state == LivenessState.LIVE && group.sharesQueue()) {
                sharing.computeIfAbsent(group, key -> new ArrayList<>()).add(reading);
            }
        }
        sharing.values().forEach(SharedQueue::spreadGroup);
    }

    private static void spreadGroup(List<RankReading> members) {
        List<RankLoad> loads =
                spreadLoads(members.stream().map(member -> member.load).toList());
        for (int m = 0; m < members.size(); m++) {
            members.get(m).load = loads.get(m);
        }
    }

    /** The same loads in the same order, each with its share of the sum of the queues. */
    static List<RankLoad> spreadLoads(List<RankLoad> loads) {
        double prefillRequests = 0;
        double prefillTokens = 0;
        double decodeRequests = 0;
        double decodeKvTokens = 0;
        for (RankLoad load : loads) {
            prefillRequests += load.queuedPrefillRequests();
            prefillTokens += load.queuedPrefillTokens();
            decodeRequests += load.queuedDecodeRequests();
            decodeKvTokens += load.queuedDecodeKvTokens();
        }
        if (prefillRequests + decodeRequests == 0) {
            return loads;
        }
        int ranks = loads.size();
        List<RankLoad> result = new ArrayList<>(ranks);
        for (RankLoad load : loads) {
            result.add(load.withQueue(
                    prefillRequests / ranks, prefillTokens / ranks, decodeRequests / ranks, decodeKvTokens / ranks));
        }
        return result;
    }
}
