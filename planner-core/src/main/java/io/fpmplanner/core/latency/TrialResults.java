/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/** What the request that is followed met in each trial. Not threadsafe while it is filled. */
final class TrialResults {
    private final double[] came;
    private final double[] settled;
    private final double[] half;
    private final double[] leftOut;
    private final double[] decodes;
    private final double[] contextTokens;
    private final double[] contextVariance;
    private final double[] chunksAhead;
    private final double[] tokensAhead;
    private final double[] kvTokensAhead;
    private final double[] lengthsAhead;
    private final double[] squaredLengthsAhead;
    private final double[] requestsBehind;
    private final double[] tokensBehind;
    private final double[] lengthsBehind;
    private final double[] squaredLengthsBehind;
    private final double[] factor;
    private final double[] promptTokens;
    private int count;

    TrialResults(int most) {
        came = new double[most];
        settled = new double[most];
        half = new double[most];
        leftOut = new double[most];
        decodes = new double[most];
        contextTokens = new double[most];
        contextVariance = new double[most];
        chunksAhead = new double[most];
        tokensAhead = new double[most];
        kvTokensAhead = new double[most];
        lengthsAhead = new double[most];
        squaredLengthsAhead = new double[most];
        requestsBehind = new double[most];
        tokensBehind = new double[most];
        lengthsBehind = new double[most];
        squaredLengthsBehind = new double[most];
        factor = new double[most];
        promptTokens = new double[most];
    }

    /**
     * A trial begins; returns its number.
     *
     * @param unplayed part of the queue that was left out, as a share of the second half of what was not
     */
    int begin(double atSeconds, double ownPromptTokens, double unplayed) {
        came[count] = atSeconds;
        half[count] = atSeconds;
        promptTokens[count] = ownPromptTokens;
        leftOut[count] = unplayed;
        return count++;
    }

    /** Half of those who stood before the request have left the queue. */
    void half(int trial, double atSeconds) {
        half[trial] = atSeconds;
    }

    /** The request's own prefill begins there and then, or in the DECODE role its first token comes. */
    void met(int trial, double atSeconds, TwinAdmission engine) {
        gaveUp(trial, atSeconds, engine.batch);
        TwinPrompts ahead = engine.prompts;
        chunksAhead[trial] = ahead.chunks();
        tokensAhead[trial] = ahead.tokens();
        kvTokensAhead[trial] = ahead.kvTokensBefore();
        lengthsAhead[trial] = ahead.lengths();
        squaredLengthsAhead[trial] = ahead.squaredLengths();
    }

    /** Another waits behind the request when its first step begins. */
    void behind(int trial, double lengthTokens, double leftTokens) {
        requestsBehind[trial]++;
        tokensBehind[trial] += leftTokens;
        lengthsBehind[trial] += lengthTokens;
        squaredLengthsBehind[trial] += lengthTokens * lengthTokens;
    }

    /** Nothing more is known than that it did not begin before then, beside such a batch. */
    void gaveUp(int trial, double atSeconds, TwinBatch batch) {
        settled[trial] = atSeconds;
        decodes[trial] = batch.size();
        contextTokens[trial] = batch.contextTokens();
        contextVariance[trial] = batch.variance();
    }

    /** The error of the request's own steps. */
    void err(int trial, double ownFactor) {
        factor[trial] = ownFactor;
    }

    int count() {
        return count;
    }

    double meanWaitSeconds() {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += waitSeconds(i);
        }
        return sum / count;
    }

    /** From arrival until then as it was played, seconds. */
    double playedSeconds(int trial) {
        return settled[trial] - came[trial];
    }

    /** From arrival until the request's first step begins; in a DECODE pool until its first token from there. */
    double waitSeconds(int trial) {
        return playedSeconds(trial) + leftOut[trial] * (settled[trial] - half[trial]);
    }

    double decodes(int trial) {
        return decodes[trial];
    }

    double contextTokens(int trial) {
        return contextTokens[trial];
    }

    double contextVariance(int trial) {
        return contextVariance[trial];
    }

    double chunksAhead(int trial) {
        return chunksAhead[trial];
    }

    double tokensAhead(int trial) {
        return tokensAhead[trial];
    }

    double kvTokensAhead(int trial) {
        return kvTokensAhead[trial];
    }

    /** Variance of the full lengths of prompts that are computed together: those ahead, and so many others of that sum and sum of squares. */
    double lengthVariance(int trial, double others, double lengths, double squares) {
        return TwinPrompts.variance(
                chunksAhead[trial] + others, lengthsAhead[trial] + lengths, squaredLengthsAhead[trial] + squares);
    }

    /** Prompts that wait behind the request when its first step begins, about up to the budget of a step. */
    double requestsBehind(int trial) {
        return requestsBehind[trial];
    }

    double lengthsBehind(int trial) {
        return lengthsBehind[trial];
    }

    double squaredLengthsBehind(int trial) {
        return squaredLengthsBehind[trial];
    }

    double tokensBehind(int trial) {
        return tokensBehind[trial];
    }

    /** Error of the request's own steps. */
    double factor(int trial) {
        return factor[trial];
    }

    /** Full prompt of a request as they come. */
    double promptTokens(int trial) {
        return promptTokens[trial];
    }
}
