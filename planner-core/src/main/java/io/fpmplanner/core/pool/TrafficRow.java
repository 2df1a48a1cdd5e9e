/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** What was done in one tick, as a row of whole numbers for {@link Flows}. Reused; not threadsafe. */
final class TrafficRow {
    static final int SECONDS_NANOS = 0;
    static final int PREFILL_TOKENS = 1;
    static final int COMPLETED = 2;
    static final int DECODE_TOKENS = 3;
    static final int DECODE_KV_TOKENS = 4;
    static final int JOINED = 5;
    static final int LEFT = 6;
    static final int WHOLE_TOKENS = 7;
    static final int WHOLE_CACHED = 8;
    static final int WHOLE_PROMPTS = 9;
    static final int QUEUE_TOKENS = 10;
    static final int QUEUE_REQUESTS = 11;
    static final int DECODE_QUEUE = 12;
    static final int RUNNING = 13;
    static final int PAIRS = 14;
    static final int UNCHANGED_PAIRS = 15;
    static final int FULL_PAIRS = 16;
    static final int UNCHANGED_FULL_PAIRS = 17;
    static final int PAIRED_DECODE_TOKENS = 18;
    static final int KNOWN_PROMPTS = 19;
    static final int KNOWN_TOKENS = 20;
    static final int KNOWN_SQUARES = 21;
    static final int JOINERS = 22;
    static final int JOINER_TOKENS = 23;
    static final int JOINER_SQUARES = 24;
    static final int LONE_LEAVERS = 25;
    static final int EXPOSED_TOKENS = 26;
    static final int JOINED_SQUARES = 27;
    static final int WAITING_PROMPTS = 28;
    static final int WAITING_TOKENS = 29;
    static final int WAITING_SQUARES = 30;
    static final int DECODE_KV_DEVIATION = 31;
    static final int COLUMNS = 32;

    private final long[] row = new long[COLUMNS];

    /**
     * Fills the row.
     *
     * @param growth change of the queues: prompt tokens, prompts, requests waiting to decode
     * @param runningChange change of the requests that decode
     */
    long[] fill(long tickNanos, TickTotals totals, double[] growth, double runningChange) {
        row[SECONDS_NANOS] = tickNanos;
        row[PREFILL_TOKENS] = totals.prefillTokens;
        row[COMPLETED] = totals.prefillsCompleted;
        row[DECODE_TOKENS] = totals.decodeTokens;
        row[DECODE_KV_TOKENS] = totals.decodeKvTokens;
        row[DECODE_KV_DEVIATION] = Math.round(totals.decodeKvDeviation);
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
        row[RUNNING] = Math.round(runningChange);
        row[KNOWN_PROMPTS] = totals.knownPrompts;
        row[KNOWN_TOKENS] = totals.knownPromptTokens;
        row[KNOWN_SQUARES] = (long) totals.knownPromptSquares;
        row[JOINERS] = totals.joiners;
        row[JOINER_TOKENS] = totals.joinerTokens;
        row[JOINER_SQUARES] = (long) totals.joinerSquares;
        row[LONE_LEAVERS] = totals.loneLeavers;
        row[EXPOSED_TOKENS] = totals.exposedTokens;
        row[JOINED_SQUARES] = totals.joinedSquares;
        row[WAITING_PROMPTS] = totals.waitingPrompts;
        row[WAITING_TOKENS] = totals.waitingTokens;
        row[WAITING_SQUARES] = (long) totals.waitingSquares;
        return row;
    }
}
