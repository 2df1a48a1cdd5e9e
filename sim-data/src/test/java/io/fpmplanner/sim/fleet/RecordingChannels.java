/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Keeps what is published; slots can be made to belong to somebody else. */
final class RecordingChannels implements StepChannels {
    final List<ForwardPassMetrics> steps = new ArrayList<>();
    final List<String> opened = new ArrayList<>();
    final List<String> closed = new ArrayList<>();
    final Set<Integer> foreignSlots = new HashSet<>();

    @Override
    public StepChannel open(String poolId, int slot, RankIdentity identity, long nowNanos) throws IOException {
        if (foreignSlots.contains(slot)) {
            throw new IOException("slot " + slot + " is taken");
        }
        String name = identity.workerId() + "@" + slot;
        opened.add(name);
        return new StepChannel() {
            @Override
            public void publish(ForwardPassMetrics metrics, long endNanos) {
                steps.add(metrics);
            }

            @Override
            public void close() {
                closed.add(name);
            }
        };
    }
}
