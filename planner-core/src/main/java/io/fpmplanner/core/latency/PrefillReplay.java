/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.latency.StepTimes.PrefillChunk;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;

/**
 * Replays an engine's scheduling rule from its present state until a new request at the end of its queue has its first
 * token. One use, one thread.
 */
final class PrefillReplay {
    /*
     * A step takes the decodes (DECODE_FIRST) or leaves them standing (PREFILL_FIRST) and fills the token budget with
     * prompts in order of arrival; a prompt may start only while the number of running requests is below the sequence
     * and KV limits. Completed prompts join the decodes, of which a share 1/outputTokens leaves in each decode step.
     *
     * Running requests are treated as a fluid, and steps that hardly differ are taken together: a stretch ends when
     * the batch has changed by CHANGE of itself, so the cost does not grow with the queue.
     */
    private static final double CHANGE = 0.08;
    private static final int MAX_STRETCHES = 256;
    private static final double NOTHING = 1e-6;

    private final RankMoment moment;
    private final StepTimes times;
    private final double ownTokens;
    private final double ownCachedTokens;
    private final double maxRunning;
    private final double prompt;

    private double ahead;
    private double own;
    private double running;
    private double kvTokens;
    private double seconds;
    private double steps;
    private double waitSeconds;

    PrefillReplay(RankMoment moment, StepTimes times, double ownTokens, double ownCachedTokens) {
        this.moment = moment;
        this.times = times;
        this.ownTokens = ownTokens;
        this.ownCachedTokens = ownCachedTokens;
        this.maxRunning = moment.maxRunning();
        this.running = moment.load().decodeRequests();
        this.kvTokens = moment.load().decodeKvTokens();
        this.ahead = moment.pendingPrefillTokens();
        this.own = ownTokens;
        this.prompt =
                moment.pendingPrefills() > 0 ? Math.max(1, ahead / moment.pendingPrefills()) : moment.promptTokens();
    }

    /**
     * What the replay found.
     *
     * @param runningStepSeconds expected length of the step that runs now; 0 when idle
     * @param waitSeconds from its end to the start of the request's own first step
     * @param seconds from its end to the first token
     * @param steps steps in that
     */
    record Outcome(double runningStepSeconds, double waitSeconds, double seconds, double steps) {}

    Outcome run() {
        double runningStep = 0;
        if (moment.isBusy()) {
            own = 0;
            runningStep = stretch(1);
            startAfter(runningStep);
        }
        return finish(runningStep);
    }

    /** As {@link #run()} for a rank that looks idle but is in the step of a typical request nobody has seen yet. */
    Outcome runBehindHiddenStep() {
        ahead = moment.promptTokens();
        own = 0;
        double runningStep = stretch(1);
        startAfter(runningStep);
        return finish(runningStep);
    }

    /* Whoever arrived since the running step was composed is ahead but not in any frame yet: on average half a step. */
    private void startAfter(double runningStep) {
        ahead += moment.arrivingTokensPerSecond() * runningStep / 2;
        own = ownTokens;
        seconds = 0;
        steps = 0;
        waitSeconds = 0;
    }

    private Outcome finish(double runningStep) {
        double work = remaining();
        double halfway = 0;
        double halfwaySeconds = 0;
        for (int i = 0; i < MAX_STRETCHES && remaining() > NOTHING; i++) {
            if (i == MAX_STRETCHES / 2) {
                halfway = work - remaining();
                halfwaySeconds = seconds;
            }
            stretch(Double.POSITIVE_INFINITY);
        }
        if (remaining() > NOTHING) {
            extrapolate(work - remaining() - halfway, seconds - halfwaySeconds);
        }
        return new Outcome(runningStep, waitSeconds, seconds, Math.max(1, steps));
    }

    /** The rest at the pace of the last half of the replay, in which the batch has long been what it will stay. */
    private void extrapolate(double recentWork, double recentSeconds) {
        if (recentWork <= 0) {
            return;
        }
        double pace = recentSeconds / recentWork;
        if (ownTokens - own < NOTHING) {
            waitSeconds = seconds + ahead * pace;
        }
        seconds += remaining() * pace;
    }

    private double remaining() {
        return ahead + own;
    }

    /** Advances by steps that hardly differ, at most the given number; returns their time. */
    private double stretch(double mostSteps) {
        boolean decodeFirst = moment.limits().schedulingRule() == SchedulingRule.DECODE_FIRST;
        double slots = moment.role() == Role.PREFILL ? Double.POSITIVE_INFINITY : Math.max(0, maxRunning - running);
        double room = Math.max(1, moment.limits().maxBatchedTokens() - (decodeFirst ? running : 0));
        double wanted = Math.min(room, remaining());
        double leaving = running / moment.outputTokens();
        if (remaining() <= NOTHING || (!decodeFirst && slots < 1 && running > 0)) {
            return decodeSteps(Math.min(mostSteps, stepsUntilSlot(slots, leaving)), leaving);
        }
        boolean gated = slots * prompt < wanted;
        double admitted = wanted;
        if (gated) {
            double freed = decodeFirst ? leaving : 0;
            admitted = Math.max(NOTHING, Math.min(wanted, prompt * (slots >= 1 ? slots : freed)));
        }
        double change = Math.abs(admitted / prompt - (decodeFirst ? leaving : 0));
        double alike =
                gated && slots >= 1 ? 1 : Math.max(1, Math.floor((1 + CHANGE * running) / Math.max(NOTHING, change)));
        double toEnd = Math.ceil(remaining() / admitted - NOTHING);
        double count = Math.max(1, Math.min(mostSteps, Math.min(alike, toEnd)));
        boolean lastIsShorter = count >= toEnd && count > 1;
        return prefillSteps(lastIsShorter ? count - 1 : count, admitted, decodeFirst);
    }

    private double stepsUntilSlot(double slots, double leaving) {
        double wantedSlots = Math.max(1 - slots, Math.min(remaining() / prompt, CHANGE * maxRunning));
        return leaving > 0 ? Math.max(1, Math.ceil(wantedSlots / leaving)) : 1;
    }

    private double decodeSteps(double count, double leaving) {
        if (running <= 0) {
            return 0;
        }
        double taken = count * times.decode(running, kvTokens).meanSeconds();
        decodesAdvance(count, leaving);
        advance(count, taken, 0);
        return taken;
    }

    private double prefillSteps(double count, double tokens, boolean decodeFirst) {
        double beside = decodeFirst ? running : 0;
        double perStep =
                times.mixed(chunk(tokens), beside, decodeFirst ? kvTokens : 0).meanSeconds();
        double taken = count * perStep;
        double completed = count * tokens / prompt;
        advance(count, taken, count * tokens);
        if (decodeFirst && running > 0) {
            decodesAdvance(count, running / moment.outputTokens());
        }
        if (moment.role() != Role.PREFILL) {
            running = Math.min(maxRunning, running + completed);
            kvTokens += completed * moment.contextTokens();
        }
        return taken;
    }

    private PrefillChunk chunk(double tokens) {
        double fromAhead = Math.min(tokens, ahead);
        double fromOwn = tokens - fromAhead;
        double requests = fromAhead / prompt + (fromOwn > NOTHING ? 1 : 0);
        double earlierChunks = fromAhead > NOTHING && prompt > tokens ? prompt / 2 : 0;
        double ownEarlier = fromOwn > NOTHING ? ownCachedTokens + ownTokens - own : 0;
        return new PrefillChunk(Math.max(1, requests), tokens, earlierChunks + ownEarlier);
    }

    private void decodesAdvance(double count, double leaving) {
        double left = Math.min(running, count * leaving);
        double context = running > 0 ? kvTokens / running : 0;
        running -= left;
        kvTokens = Math.max(0, kvTokens - left * context + count * running);
    }

    private void advance(double count, double taken, double tokens) {
        double fromAhead = Math.min(ahead, tokens);
        if (own > NOTHING && ownTokens - own < NOTHING) {
            double untilOwn = tokens - fromAhead > NOTHING ? Math.floor(fromAhead / (tokens / count)) / count : 1;
            waitSeconds = seconds + untilOwn * taken;
        }
        ahead -= fromAhead;
        own = Math.max(0, own - (tokens - fromAhead));
        seconds += taken;
        steps += count;
    }
}
