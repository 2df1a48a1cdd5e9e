/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.RankView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import java.util.HashMap;
import java.util.Map;

/** How fast steps follow each other where few of them are seen: by their numbers. Not threadsafe. */
final class StepPace {
    /*
     * Two frames five seconds apart tell two wall times, of steps of 30 ms or of 150 ms as it happens; their numbers
     * tell how many steps there were, and so the mean time between tokens of everybody who decoded, prompts computed
     * meanwhile included; while prompts wait, more of them than in the long run. Known after the second look, long before step times are. It holds where every step decodes
     * the whole batch, and while there is one: with less than FEW requests inside, an engine may have paused.
     */
    private static final double FEW = 4;
    private static final double MEMORY_SECONDS = 15;
    private static final double LONGEST_SECONDS = 15;
    /** So slow is no load, but an engine that compiles. */
    private static final double STALLED = 10;

    private static final int TICKS_THAT_CONFIRM = 2;

    private Map<String, Mark> marks = new HashMap<>();
    private double seconds;
    private double steps;
    private double batchSteps;
    private long readNanos = Long.MIN_VALUE;
    private int overInRow;
    private double newestSeconds;

    private record Mark(long position, long nanos, int incarnation, double batch, boolean waits) {}

    /** Takes in where ranks are in their streams; once a tick. */
    void read(PoolView pool) {
        Role role = pool.settings().role();
        boolean allDecode = role == Role.DECODE
                || (role == Role.AGGREGATED
                        && pool.settings().limits().schedulingRule() == SchedulingRule.DECODE_FIRST);
        if (!allDecode) {
            return;
        }
        double forget =
                readNanos == Long.MIN_VALUE ? 0 : Math.exp(-(pool.nowNanos() - readNanos) / 1e9 / MEMORY_SECONDS);
        readNanos = pool.nowNanos();
        Map<String, Mark> now = new HashMap<>();
        double allSeconds = 0;
        double allSteps = 0;
        double newSeconds = 0;
        double newSteps = 0;
        double newBatchSteps = 0;
        for (RankView rank : (Iterable<RankView>) pool.liveRanks()::iterator) {
            String key = rank.endpoint() + '|' + rank.publisherId() + '|' + rank.workerId() + '|' + rank.dpRank();
            Mark mark = new Mark(
                    rank.lastSequence(),
                    rank.lastReceivedNanos(),
                    rank.incarnation(),
                    rank.load().idle() ? 0 : rank.load().decodeRequests(),
                    rank.load().queuedPrefillRequests() > 0);
            now.put(key, mark);
            Mark before = marks.get(key);
            if (before != null && isBusyStretch(before, mark)) {
                double passed = mark.position() - before.position();
                double took = (mark.nanos() - before.nanos()) / 1e9;
                allSeconds += took;
                allSteps += passed;
                if (!before.waits() && !mark.waits()) {
                    newSeconds += took;
                    newSteps += passed;
                    newBatchSteps += passed * (before.batch() + mark.batch()) / 2;
                }
            }
        }
        marks = now;
        seconds = forget * seconds + newSeconds;
        steps = forget * steps + newSteps;
        batchSteps = forget * batchSteps + newBatchSteps;
        noteSlowness(
                allSteps > 0 ? allSeconds / allSteps : Double.NaN,
                pool.settings().slo().itlSeconds());
    }

    private static boolean isBusyStretch(Mark before, Mark now) {
        return now.incarnation() == before.incarnation()
                && before.position() >= 0
                && now.position() > before.position()
                && now.nanos() > before.nanos()
                && now.nanos() - before.nanos() <= LONGEST_SECONDS * 1e9
                && Math.min(before.batch(), now.batch()) >= FEW;
    }

    private void noteSlowness(double pace, double itlObjective) {
        if (!Double.isNaN(pace)) {
            overInRow = pace > itlObjective && pace < STALLED * itlObjective ? overInRow + 1 : 0;
            newestSeconds = pace;
        }
    }

    /** Forgets all, as after a change that makes numbers meaningless. */
    void clear() {
        marks.clear();
        seconds = 0;
        steps = 0;
        batchSteps = 0;
        overInRow = 0;
    }

    boolean isKnown() {
        return steps >= 1;
    }

    /** Mean time from step to step, seconds, over the newest stretches in which no prompt waited; only if known. */
    double meanSeconds() {
        return seconds / steps;
    }

    /** Requests that decode on one rank, mean over those steps; only if known. */
    double meanBatch() {
        return batchSteps / steps;
    }

    /** Replicas for which tokens would come in time, by proportion; 0 as long as nothing says that there are too few. */
    int needed(int ready, double itlObjective) {
        if (overInRow < TICKS_THAT_CONFIRM) {
            return 0;
        }
        double ratio = Math.min(2, newestSeconds / itlObjective);
        return Math.max(ready + 1, (int) Math.ceil(ready * ratio));
    }
}
