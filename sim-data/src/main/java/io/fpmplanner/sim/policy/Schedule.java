/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Replicas to be ordered at each second, known beforehand. Mutable while it is made; not threadsafe. */
final class Schedule {
    private final int[][] desired;

    /** @param desired replicas by pool and second */
    Schedule(int[][] desired) {
        this.desired = desired;
    }

    int desired(int pool, int second) {
        int[] seconds = desired[pool];
        return seconds[Math.min(second, seconds.length - 1)];
    }

    boolean sameAs(Schedule other) {
        return Arrays.deepEquals(desired, other.desired);
    }

    int seconds() {
        return desired[0].length;
    }

    /** The same with one replica less in a pool from a second to another, where there are more than the fewest. */
    Schedule trimmed(int pool, int from, int to, int fewest) {
        int[][] copy = new int[desired.length][];
        for (int i = 0; i < desired.length; i++) {
            copy[i] = desired[i].clone();
        }
        for (int second = from; second < Math.min(to, seconds()); second++) {
            copy[pool][second] = Math.max(fewest, copy[pool][second] - 1);
        }
        return new Schedule(copy);
    }

    /** Follows it, second by second. */
    Autoscaler followed(ScalingTask task, String reason) {
        return observation -> {
            int second = (int) (observation.nowNanos() / 1_000_000_000L);
            List<PoolDecision> decisions = new ArrayList<>();
            for (int pool = 0; pool < desired.length; pool++) {
                decisions.add(new PoolDecision(task.pools().get(pool).id(), desired(pool, second), reason));
            }
            return decisions;
        };
    }
}
