/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;

/** The newest steps of one rank and how prefill and decode shared them. Allocates nothing once full. Not threadsafe. */
final class StepWindow {
    /*
     * Steps are summed up in bunches, which leave the window as a whole: a row for each of 512 steps would be 49 kB a
     * rank and two cold cache lines a frame. So the window holds 480 to 512 steps, or 18.75 to 20 s.
     */
    private static final int WALL_NANOS = 0;
    private static final int DECODE_STEPS = 1;
    private static final int MIXED_STEPS = 2;
    private static final int MIXED_REQUESTS = 3;
    private static final int MIXED_TOKENS = 4;
    private static final int MIXED_KV_TOKENS = 5;
    private static final int STALLS = 6;
    private static final int STALLED_STEPS = 7;
    private static final int STALLED_NANOS = 8;
    private static final int DECODE_REQUESTS = 9;
    private static final int DECODE_KV_TOKENS = 10;
    private static final int STEPS = 11;
    private static final int COLUMNS = 12;

    private static final int BUNCHES = 16;
    private static final int BUNCH_STEPS = 32;
    private static final long MAX_AGE_NANOS = 20_000_000_000L;
    private static final long BUNCH_NANOS = MAX_AGE_NANOS / BUNCHES;

    private final RollingWindow window = new RollingWindow(COLUMNS, BUNCHES, MAX_AGE_NANOS);
    private final long[] row = new long[COLUMNS];
    private long burstSteps;
    private long burstNanos;
    private long burstCompletions;

    /**
     * Adds a step.
     *
     * @param completedPrefills prompts whose last chunk was in it
     */
    void add(FpmFrame step, long completedPrefills) {
        long wallNanos = (long) (step.wallTimeSeconds() * 1e9);
        boolean prefill = step.scheduledPrefillRequests() > 0 || step.scheduledPrefillTokens() > 0;
        boolean decode = step.scheduledDecodeRequests() > 0;
        boolean mixed = prefill && decode;
        if (!decode) {
            burstSteps++;
            burstNanos += wallNanos;
            burstCompletions += completedPrefills;
        }
        /*
         * Decodes stood still during the burst only if this step holds more of them than the burst itself brought:
         * a burst on an engine with nothing to decode delays nobody's next token.
         */
        boolean stalled = decode && burstSteps > 0 && step.scheduledDecodeRequests() > burstCompletions;
        row[WALL_NANOS] = wallNanos;
        row[DECODE_STEPS] = decode ? 1 : 0;
        row[MIXED_STEPS] = mixed ? 1 : 0;
        row[MIXED_REQUESTS] = mixed ? step.scheduledPrefillRequests() : 0;
        row[MIXED_TOKENS] = mixed ? step.scheduledPrefillTokens() : 0;
        row[MIXED_KV_TOKENS] = mixed ? step.scheduledPrefillKvTokens() : 0;
        row[STALLS] = stalled ? 1 : 0;
        row[STALLED_STEPS] = stalled ? burstSteps : 0;
        row[STALLED_NANOS] = stalled ? burstNanos : 0;
        row[DECODE_REQUESTS] = step.scheduledDecodeRequests();
        row[DECODE_KV_TOKENS] = step.scheduledDecodeKvTokens();
        row[STEPS] = 1;
        add(step.receivedNanos());
        if (decode) {
            endBurst();
        }
    }

    private void add(long atNanos) {
        int newest = window.size() - 1;
        if (newest >= 0 && window.value(newest, STEPS) < BUNCH_STEPS && isWithin(window.ageNanos(newest, atNanos))) {
            window.merge(row);
            window.expire(atNanos);
        } else {
            window.add(atNanos, row);
        }
    }

    private static boolean isWithin(long nanos) {
        return nanos >= 0 && nanos < BUNCH_NANOS;
    }

    void clear() {
        window.clear();
        endBurst();
    }

    private void endBurst() {
        burstSteps = 0;
        burstNanos = 0;
        burstCompletions = 0;
    }

    StepMix mix(long nowNanos) {
        window.expire(nowNanos);
        return new StepMix(
                window.sum(STEPS),
                window.sum(DECODE_STEPS),
                window.sum(MIXED_STEPS),
                new StepMix.PrefillSums(
                        window.sum(MIXED_REQUESTS), window.sum(MIXED_TOKENS), window.sum(MIXED_KV_TOKENS)),
                window.sum(STALLS),
                window.sum(STALLED_STEPS),
                window.sum(STALLED_NANOS) / 1e9,
                window.sum(DECODE_REQUESTS),
                window.sum(DECODE_KV_TOKENS),
                window.sum(WALL_NANOS) / 1e9,
                window.spanNanos(nowNanos) / 1e9);
    }
}
