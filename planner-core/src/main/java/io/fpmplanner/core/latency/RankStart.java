/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.RankLoad;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.TokenLengths;

/** Draws states that a rank may be in, given its newest frame: sums are known, single requests are drawn. */
final class RankStart {
    /*
     * A request that decodes is met at a random point of its answer, and long answers are met more often. A prompt cut alone
     * is longer than what was computed of it; one cut beside others anywhere. Of a queue the first MOST_QUEUED prompts are
     * drawn, the rest is told as tokens.
     */
    private static final int MOST_QUEUED = 160;
    private static final double ASSUMED_OUTPUT_TOKENS = 256;
    private static final double ASSUMED_PROMPT_TOKENS = 512;
    private static final double ASSUMED_VARIATION = 0.7;
    private static final int OTHER = -1;

    private final Role role;
    private final StepSampler random;
    private final double cachedShare;
    final LengthTable input;
    final LengthTable output;

    RankStart(PoolView pool, StepSampler random) {
        PoolLoad.Traffic traffic = pool.load().traffic();
        this.role = pool.settings().role();
        this.random = random;
        this.cachedShare =
                role == Role.DECODE ? 0 : Math.min(0.95, traffic.cachedShare().orElse(0));
        double queued = pool.load().queuedPrefillRequests();
        double unknown = queued > 0 ? pool.load().queuedPrefillTokens() / queued : ASSUMED_PROMPT_TOKENS;
        double answer = traffic.outputTokens().orElse(ASSUMED_OUTPUT_TOKENS);
        this.input = traffic.fullInputTokens(ASSUMED_VARIATION)
                .map(LengthTable::new)
                .orElseGet(() -> table(unknown, ASSUMED_VARIATION * unknown));
        this.output = table(answer, traffic.outputDeviation().orElse(ASSUMED_VARIATION * answer));
    }

    private static LengthTable table(double mean, double deviation) {
        double tokens = Math.max(1, Math.min(TokenLengths.MAX_TOKENS, mean));
        return new LengthTable(TokenLengths.spread(tokens, Math.min(deviation, 4 * tokens)));
    }

    /** Prompt tokens of a request that must be computed. */
    double uncached(double promptTokens) {
        return Math.max(1, Math.rint(promptTokens * (1 - cachedShare)));
    }

    double cachedShare() {
        return cachedShare;
    }

    /** Puts an engine that is empty into a state; returns the prompt tokens of the queue that were left out. */
    double draw(RankLoad load, EngineTwin engine) {
        run(engine, load);
        cut(engine, load);
        if (role == Role.DECODE) {
            return queueDecodes(engine, load);
        }
        preempted(engine, load);
        return queuePrompts(engine, load);
    }

    private void run(EngineTwin engine, RankLoad load) {
        int count = (int) Math.rint(load.decodeRequests());
        if (count == 0) {
            return;
        }
        engine.expect(count);
        double mean = load.decodeKvTokens() / count;
        double deviation = count > 1 ? Math.sqrt(Math.max(0, load.spread().decodeKvVariance())) : 0;
        double drift = 0;
        for (int i = 0; i < count; i++) {
            double wanted = mean + deviation * input.drawStandard(random) + drift / (count - i);
            double context = Math.max(1, wanted);
            drift += mean - context;
            engine.run(OTHER, context, Math.ceil(output.drawMet(random) * (1 - random.uniform())));
        }
    }

    private void cut(EngineTwin engine, RankLoad load) {
        if (load.unfinishedChunkTokens() <= 0) {
            return;
        }
        double done = load.spread().cutPromptTokens();
        double length = input.drawAbove(done, random);
        if (done <= 0) {
            length = input.drawMet(random);
            done = Math.floor(length * random.uniform());
        }
        engine.cut(OTHER, done, Math.max(1, Math.rint(length - done)), output.draw(random));
    }

    /** Preempted requests compute again what they have lost of their context. */
    private void preempted(EngineTwin engine, RankLoad load) {
        int count = whole(load.queuedDecodeRequests());
        for (int i = 0; i < count; i++) {
            double context = load.queuedDecodeKvTokens() > 0
                    ? load.queuedDecodeKvTokens() / load.queuedDecodeRequests()
                    : input.drawMet(random);
            double left = Math.ceil(output.drawMet(random) * random.uniform()) + 1;
            engine.queue(OTHER, 0, Math.max(1, context), left);
            engine.lastWasPreempted();
        }
    }

    private double queuePrompts(EngineTwin engine, RankLoad load) {
        int count = whole(load.queuedPrefillRequests());
        if (count == 0) {
            return 0;
        }
        double mean = load.queuedPrefillTokens() / load.queuedPrefillRequests();
        double deviation = count > 1 ? Math.sqrt(Math.max(0, load.spread().queuedPrefillVariance())) : 0;
        double drift = 0;
        for (int i = 0; i < count; i++) {
            double wanted = mean + deviation * input.drawStandard(random) + drift / (count - i);
            double length = Math.max(1, wanted);
            drift += mean - length;
            double left = uncached(length);
            engine.queue(OTHER, Math.max(0, length - left), left, output.draw(random));
        }
        return Math.max(0, load.queuedPrefillRequests() - count - 1) * uncached(mean);
    }

    private double queueDecodes(EngineTwin engine, RankLoad load) {
        int count = whole(load.queuedDecodeRequests());
        double mean = load.queuedDecodeRequests() > 0 && load.queuedDecodeKvTokens() > 0
                ? load.queuedDecodeKvTokens() / load.queuedDecodeRequests()
                : input.mean();
        for (int i = 0; i < count; i++) {
            engine.queue(OTHER, mean, 0, output.draw(random));
        }
        return Math.max(0, load.queuedDecodeRequests() - count - 1) * output.mean();
    }

    /** Ranks that share a queue have parts of requests each. */
    private int whole(double requests) {
        return (int) Math.min(MOST_QUEUED, Math.floor(requests + (requests % 1 > 0 ? random.uniform() : 0)));
    }
}
