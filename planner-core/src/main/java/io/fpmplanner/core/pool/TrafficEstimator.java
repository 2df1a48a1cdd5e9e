/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.OptionalDouble;

/**
 * Infers what kind of requests come from what engines did, by balance of flows over a long window. Not threadsafe.
 */
final class TrafficEstimator {
    /*
     * Flow balance: what is completed plus the growth of the queue is what arrived. Tokens generated divided by the
     * mean of the requests that joined and that left a batch is the output length; joined alone is biased low while
     * load rises, left alone while it falls. Whatever rests on fewer than FEWEST_REQUESTS is not said at all.
     */
    private static final int SECONDS_NANOS = 0;
    private static final int PREFILL_TOKENS = 1;
    private static final int COMPLETED = 2;
    private static final int DECODE_TOKENS = 3;
    private static final int DECODE_KV_TOKENS = 4;
    private static final int JOINED = 5;
    private static final int LEFT = 6;
    private static final int WHOLE_TOKENS = 7;
    private static final int WHOLE_CACHED = 8;
    private static final int WHOLE_PROMPTS = 9;
    private static final int QUEUE_TOKENS = 10;
    private static final int QUEUE_REQUESTS = 11;
    private static final int DECODE_QUEUE = 12;
    private static final int RUNNING = 13;
    private static final int COLUMNS = 14;

    private static final int FEWEST_REQUESTS = 6;
    private static final long WINDOW_NANOS = 300_000_000_000L;
    private static final int MAX_TICKS = 1024;

    private final Role role;
    private final RollingWindow ticks = new RollingWindow(COLUMNS, MAX_TICKS, WINDOW_NANOS);
    private final long[] row = new long[COLUMNS];
    private double runningBefore;

    TrafficEstimator(Role role) {
        this.role = role;
    }

    /**
     * Adds one tick.
     *
     * @param growth change of the queues: prompt tokens, prompts, requests waiting to decode
     */
    void add(long nowNanos, long tickNanos, TickTotals totals, double[] growth, double running) {
        row[SECONDS_NANOS] = tickNanos;
        row[PREFILL_TOKENS] = totals.prefillTokens;
        row[COMPLETED] = totals.prefillsCompleted;
        row[DECODE_TOKENS] = totals.decodeTokens;
        row[DECODE_KV_TOKENS] = totals.decodeKvTokens;
        row[JOINED] = totals.decodeJoined;
        row[LEFT] = totals.decodeLeft;
        row[WHOLE_TOKENS] = totals.wholePromptTokens;
        row[WHOLE_CACHED] = totals.wholePromptCachedTokens;
        row[WHOLE_PROMPTS] = totals.wholePrompts;
        row[QUEUE_TOKENS] = Math.round(growth[0]);
        row[QUEUE_REQUESTS] = Math.round(growth[1]);
        row[DECODE_QUEUE] = Math.round(growth[2]);
        row[RUNNING] = Math.round(running - runningBefore);
        runningBefore = running;
        ticks.add(nowNanos, row);
    }

    PoolLoad.Traffic traffic() {
        double seconds = ticks.sum(SECONDS_NANOS) / 1e9;
        double computed = ticks.sum(PREFILL_TOKENS);
        double completed = ticks.sum(COMPLETED);
        double cachedTokens = ticks.sum(WHOLE_CACHED);
        double wholeTokens = ticks.sum(WHOLE_TOKENS) + cachedTokens;
        OptionalDouble cachedShare = ticks.sum(WHOLE_PROMPTS) >= FEWEST_REQUESTS && wholeTokens > 0
                ? OptionalDouble.of(cachedTokens / wholeTokens)
                : OptionalDouble.empty();
        double waiting = ticks.sum(QUEUE_TOKENS) * (1 - cachedShare.orElse(0));
        double decoded = ticks.sum(DECODE_TOKENS);
        return new PoolLoad.Traffic(
                seconds,
                seconds > 0 && joined() >= FEWEST_REQUESTS
                        ? OptionalDouble.of(Math.max(0, joined() + queueGrowth()) / seconds)
                        : OptionalDouble.empty(),
                seconds > 0 ? Math.max(0, computed + waiting) / seconds : 0,
                seconds > 0 ? decoded / seconds : 0,
                role != Role.DECODE && completed >= FEWEST_REQUESTS
                        ? OptionalDouble.of(computed / completed)
                        : OptionalDouble.empty(),
                cachedShare,
                outputTokens(decoded),
                decoded > 0 ? OptionalDouble.of(ticks.sum(DECODE_KV_TOKENS) / decoded) : OptionalDouble.empty());
    }

    /** Requests that were taken up: completed prompts, or in a decode pool the joins that changes of the batch show. */
    private double joined() {
        return role == Role.DECODE ? ticks.sum(JOINED) : ticks.sum(COMPLETED);
    }

    private double queueGrowth() {
        return role == Role.DECODE ? ticks.sum(DECODE_QUEUE) : ticks.sum(QUEUE_REQUESTS);
    }

    private OptionalDouble outputTokens(double decoded) {
        if (role == Role.PREFILL) {
            return OptionalDouble.empty();
        }
        double left = role == Role.DECODE ? ticks.sum(LEFT) : joined() - ticks.sum(RUNNING);
        if (joined() < FEWEST_REQUESTS || left < FEWEST_REQUESTS) {
            return OptionalDouble.empty();
        }
        double firstToken = role == Role.AGGREGATED ? 1 : 0;
        return OptionalDouble.of(firstToken + decoded / ((joined() + left) / 2));
    }
}
