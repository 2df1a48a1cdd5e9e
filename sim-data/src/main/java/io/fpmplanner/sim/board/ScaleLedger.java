/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts changes of what was ordered, and changes of direction among them. Not threadsafe. */
final class ScaleLedger {
    private final Map<String, Integer> lastDirection = new HashMap<>();
    private final List<Timeline.Change> changes = new ArrayList<>();
    private int reversals;

    void add(Timeline.Change change) {
        changes.add(change);
        int direction = Integer.signum(change.to() - change.from());
        Integer before = lastDirection.put(change.poolId(), direction);
        if (before != null && before != direction) {
            reversals++;
        }
    }

    List<Timeline.Change> changes() {
        return changes;
    }

    int reversals() {
        return reversals;
    }
}
