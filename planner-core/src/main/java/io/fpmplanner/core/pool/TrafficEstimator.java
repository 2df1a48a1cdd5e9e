/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Infers what kind of requests come from what engines did, by balance of flows over a long window. Not threadsafe.
 */
final class TrafficEstimator {
    /*
     * Flow balance: what is completed plus the growth of the queue is what arrived. Tokens generated divided by the
     * mean of the requests that joined and that left a batch is the output length; joined alone is biased low while
     * load rises, left alone while it falls. Lengths are taken over the long window, rates over its newest part. Whatever rests on fewer than FEWEST_REQUESTS is not said at all.
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
    private static final int PAIRS = 14;
    private static final int UNCHANGED_PAIRS = 15;
    private static final int FULL_PAIRS = 16;
    private static final int UNCHANGED_FULL_PAIRS = 17;
    private static final int PAIRED_DECODE_TOKENS = 18;
    private static final int COLUMNS = 19;

    private static final int FEWEST_REQUESTS = 6;
    private static final double LEAST_UNCHANGED = 0.03;
    private static final long WINDOW_NANOS = 300_000_000_000L;
    private static final double RECENT_NANOS = 30e9;
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
        row[PAIRS] = totals.decodePairs;
        row[UNCHANGED_PAIRS] = totals.unchangedPairs;
        row[FULL_PAIRS] = totals.fullPairs;
        row[PAIRED_DECODE_TOKENS] = totals.pairedDecodeTokens;
        row[UNCHANGED_FULL_PAIRS] = totals.unchangedFullPairs;
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
        double computed = ticks.sum(PREFILL_TOKENS);
        double completed = ticks.sum(COMPLETED);
        double decoded = ticks.sum(DECODE_TOKENS);
        OptionalDouble cachedShare = cachedShare();
        return new PoolLoad.Traffic(
                ticks.sum(SECONDS_NANOS) / 1e9,
                requestsPerSecond(),
                Math.max(0, recentRate(PREFILL_TOKENS) + recentRate(QUEUE_TOKENS) * (1 - cachedShare.orElse(0))),
                recentRate(DECODE_TOKENS),
                role != Role.DECODE && completed >= FEWEST_REQUESTS
                        ? OptionalDouble.of(computed / completed)
                        : OptionalDouble.empty(),
                cachedShare,
                outputTokens(decoded),
                decoded > 0 ? OptionalDouble.of(ticks.sum(DECODE_KV_TOKENS) / decoded) : OptionalDouble.empty());
    }

    /** What is inferred, and over it what somebody told who sees the requests. */
    PoolLoad.Traffic traffic(Optional<SuppliedTraffic> told) {
        PoolLoad.Traffic inferred = traffic();
        return told.isPresent() ? inferred.with(told.get()) : inferred;
    }

    private OptionalDouble cachedShare() {
        double cachedTokens = ticks.sum(WHOLE_CACHED);
        double wholeTokens = ticks.sum(WHOLE_TOKENS) + cachedTokens;
        return ticks.sum(WHOLE_PROMPTS) >= FEWEST_REQUESTS && wholeTokens > 0
                ? OptionalDouble.of(cachedTokens / wholeTokens)
                : OptionalDouble.empty();
    }

    private OptionalDouble requestsPerSecond() {
        if (joined() < FEWEST_REQUESTS || (role == Role.DECODE && ticks.sum(JOINED) == 0)) {
            return OptionalDouble.empty();
        }
        boolean decodes = role == Role.DECODE;
        double missed = decodes ? joined() / ticks.sum(JOINED) * lossFactor() : 1;
        double taken = recentRate(decodes ? JOINED : COMPLETED) * missed;
        return OptionalDouble.of(Math.max(0, taken + recentRate(decodes ? DECODE_QUEUE : QUEUE_REQUESTS)));
    }

    /** Changes of the batch are seen between consecutive steps only; by how much more there were. */
    private double lossFactor() {
        double paired = ticks.sum(PAIRED_DECODE_TOKENS);
        return paired > 0 ? Math.max(1, ticks.sum(DECODE_TOKENS) / paired) : 1;
    }

    /** Mean per second of a column over the newest ticks. */
    private double recentRate(int column) {
        double sum = 0;
        double nanos = 0;
        for (int i = ticks.size() - 1; i >= 0 && nanos < RECENT_NANOS; i--) {
            sum += ticks.value(i, column);
            nanos += ticks.value(i, SECONDS_NANOS);
        }
        return nanos > 0 ? sum * 1e9 / nanos : 0;
    }

    /** Requests that were taken up: completed prompts, or in a decode pool the joins that changes of the batch show. */
    private double joined() {
        if (role != Role.DECODE) {
            return ticks.sum(COMPLETED);
        }
        double counted = ticks.sum(JOINED);
        return Math.max(counted, left() + counted - ticks.sum(LEFT));
    }

    /*
     * Counting changes of the batch misses whoever leaves in the step in which another joins. If both come as Poisson
     * processes, with rates j and l a step, a pair of steps is unchanged with probability exp(-j - l), and the batch
     * grows by j - l; in a full batch, where each leaver is replaced at once, with probability exp(-l). Arrivals in
     * bunches make this too low, coincidences make counting too low: the larger is taken. Under speculative decoding
     * hardly a pair looks unchanged, which leaves the count.
     */
    private double left() {
        double counted = ticks.sum(LEFT);
        double growth = ticks.sum(JOINED) - counted;
        double events = events(PAIRS, UNCHANGED_PAIRS);
        double replaced = events(FULL_PAIRS, UNCHANGED_FULL_PAIRS);
        return Math.max(counted, (events - growth) / 2 + replaced);
    }

    /** Expected changes in so many pairs of steps given the share without any; 0 when that is too small to tell. */
    private double events(int pairsColumn, int unchangedColumn) {
        double pairs = ticks.sum(pairsColumn);
        double unchanged = ticks.sum(unchangedColumn);
        return unchanged < LEAST_UNCHANGED * pairs || unchanged == 0 ? 0 : -pairs * Math.log(unchanged / pairs);
    }

    private OptionalDouble outputTokens(double decoded) {
        if (role == Role.PREFILL) {
            return OptionalDouble.empty();
        }
        double left = role == Role.DECODE ? left() : joined() - ticks.sum(RUNNING);
        if (joined() < FEWEST_REQUESTS || left < FEWEST_REQUESTS) {
            return OptionalDouble.empty();
        }
        double generated = role == Role.DECODE ? ticks.sum(PAIRED_DECODE_TOKENS) : decoded;
        double firstToken = role == Role.AGGREGATED ? 1 : 0;
        return OptionalDouble.of(firstToken + generated / ((joined() + left) / 2));
    }
}
