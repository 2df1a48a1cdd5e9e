/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;

/**
 * What a step's composition says about the requests in it, given the engine's token budget. Not threadsafe.
 *
 * <p>FPM counts a prompt once in every step that computes a chunk of it. Engines cut a prompt only when the budget of
 * the step is used up, so a step that fills its budget leaves one prompt unfinished, and no other does.
 */
final class StepBudget {
    /* SGLang rounds chunks down to whole KV pages and vLLM may leave a token or two: a step this full counts as full. */
    private static final double FULL = 0.985;

    /* More than arrive within one step of an engine that admits whatever comes. */
    private static final int MANY_WAITING = 8;

    /*
     * Limits are configured by hand, and recordings exceed what their engine's settings say by four. A step beyond this
     * many times a limit is corrupt, and would otherwise count as demand of a whole fleet.
     */
    private static final long SLACK = 64;

    private static final long MOST_LOST_STEPS = 10_000;
    private static final double TIMES_SHORTER = 5;
    private static final long PICKED_BY_CLOCK = 16;
    private static final long MOST_EXTRAPOLATED_NANOS = 15_000_000_000L;

    private final Role role;
    private EngineLimits limits;

    StepBudget(Role role, EngineLimits limits) {
        this.role = role;
        this.limits = limits;
    }

    void limits(EngineLimits now) {
        limits = now;
    }

    Role role() {
        return role;
    }

    EngineLimits limits() {
        return limits;
    }

    /** Whether an engine with these limits could have computed the step, were they configured far too low. */
    boolean allows(FpmFrame step) {
        return step.scheduledPrefillTokens() <= SLACK * limits.maxBatchedTokens()
                && step.scheduledPrefillRequests() <= SLACK * limits.maxSequences()
                && step.scheduledDecodeRequests() <= SLACK * limits.maxSequences();
    }

    boolean cutsPrompt(FpmFrame step) {
        long used = step.scheduledPrefillTokens();
        if (used == 0) {
            return false;
        }
        if (limits.schedulingRule() == SchedulingRule.DECODE_FIRST) {
            used += step.scheduledDecodeRequests();
        }
        return used >= FULL * limits.maxBatchedTokens();
    }

    long completedPrefills(FpmFrame step) {
        return Math.max(0, step.scheduledPrefillRequests() - (cutsPrompt(step) ? 1 : 0));
    }

    /** Whether the engine surely had something to do after that step: more than one decode, a cut prompt or a queue. */
    boolean leavesWork(FpmFrame step) {
        return decodesAfter(step) > 1 || cutsPrompt(step) || step.queuedPrefillRequests() > 0;
    }

    /** Whether the decode batch can take no more: at the sequence limit, or short of KV cache with many waiting. */
    boolean isFull(FpmFrame step) {
        return step.scheduledDecodeRequests() >= limits.maxSequences() || step.queuedDecodeRequests() >= MANY_WAITING;
    }

    /** Requests that decode after that step. Prompts that were completed join, except in a prefill pool. */
    double decodesAfter(FpmFrame step) {
        if (role == Role.PREFILL) {
            return 0;
        }
        return step.scheduledDecodeRequests() + completedPrefills(step);
    }

    double decodeKvTokensAfter(FpmFrame step) {
        if (role == Role.PREFILL) {
            return 0;
        }
        double joining = 0;
        if (step.scheduledPrefillRequests() > 0) {
            joining = (double) (step.scheduledPrefillTokens() + step.scheduledPrefillKvTokens())
                    * completedPrefills(step)
                    / step.scheduledPrefillRequests();
        }
        return step.scheduledDecodeKvTokens() + step.scheduledDecodeRequests() + joining;
    }

    /** What the rank has to do after that step, seen from the given moment. */
    RankLoad loadAfter(FpmFrame step, StandingBatch batch, long nowNanos, PoolLoad.Traffic traffic) {
        return new RankLoad(
                false,
                batch.requests(),
                batch.kvTokens(),
                unfinishedTokens(step, traffic),
                step.queuedPrefillRequests(),
                step.queuedPrefillTokens(),
                step.queuedDecodeRequests(),
                step.queuedDecodeKvTokens(),
                Math.max(0, nowNanos - step.receivedNanos()) / 1e9,
                new RankLoad.Spread(batch.kvVariance(), step.queuedPrefillLengthVariance(), cutPromptTokens(step)));
    }

    private double cutPromptTokens(FpmFrame step) {
        return cutsPrompt(step) && step.scheduledPrefillRequests() == 1
                ? (double) step.scheduledPrefillTokens() + step.scheduledPrefillKvTokens()
                : 0;
    }

    /**
     * Expected tokens still to be computed of a prompt that the step cut; 0 if it cut none. A lone prompt is known up
     * to where it was cut; among several, the cut falls anywhere, on average in the middle.
     */
    double unfinishedTokens(FpmFrame step, PoolLoad.Traffic traffic) {
        if (!cutsPrompt(step)) {
            return 0;
        }
        double mean = traffic.inputTokens().orElse(limits.maxBatchedTokens());
        if (step.scheduledPrefillRequests() > 1) {
            return mean / 2;
        }
        double done = step.scheduledPrefillTokens() + step.scheduledPrefillKvTokens();
        double prompt = mean / (1 - Math.min(0.95, traffic.cachedShare().orElse(0)));
        return Math.max(mean / 4, prompt - done);
    }

    /*
     * A frame after a gap stands for the lost ones too, or demand would look small just when a publisher drops frames
     * or a source passes on a sample only: as many as are missing, but
     * no more than there was time for, the lost steps being up to TIMES_SHORTER than this one. After a silence longer
     * than any sampling a single frame tells nothing of what was missed.
     *
     * Where most are missing, a clock picked the frame: the step that was over when it was looked at, more often the
     * longer the NEXT step is. Is prompt work left, the next is a long one too, so the frame stands for its time;
     * else the next may be any, and it stands for its number. Where every step decodes the batch, decodes are counted
     * by number in any case: a long step stands for no more of them than the short ones beside it.
     */
    /**
     * How many steps a frame stands for, &ge; 1.
     *
     * @param elapsedNanos since the frame before it
     * @param missed frames that are missing between the two
     */
    long stepsRepresented(FpmFrame frame, long elapsedNanos, long missed) {
        boolean longNext = cutsPrompt(frame) || frame.queuedPrefillRequests() > 0;
        return represented(frame, elapsedNanos, missed, longNext && missed >= PICKED_BY_CLOCK ? 1 : TIMES_SHORTER);
    }

    /** The same as far as they decode. */
    long decodesRepresented(FpmFrame frame, long elapsedNanos, long missed) {
        return limits.schedulingRule() == SchedulingRule.DECODE_FIRST
                ? represented(frame, elapsedNanos, missed, TIMES_SHORTER)
                : stepsRepresented(frame, elapsedNanos, missed);
    }

    private static long represented(FpmFrame frame, long elapsedNanos, long missed, double shorter) {
        long steps = 1 + Math.min(missed, MOST_LOST_STEPS);
        double wallNanos = frame.wallTimeSeconds() * 1e9;
        if (elapsedNanos > MOST_EXTRAPOLATED_NANOS) {
            return 1;
        }
        if (steps == 1 || elapsedNanos <= 0 || wallNanos <= 0) {
            return steps;
        }
        return Math.max(1, Math.min(steps, Math.round(shorter * elapsedNanos / wallNanos)));
    }
}
