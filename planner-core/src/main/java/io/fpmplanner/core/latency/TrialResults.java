/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/** What the request that is followed met in each trial. Not threadsafe while it is filled. */
final class TrialResults {
    private final double[] wait;
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
    private double waitSum;

    TrialResults(int most) {
        wait = new double[most];
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
     * Adds a trial.
     *
     * @param engine in which the request's own prefill has just begun, or in the DECODE role its first token is there
     */
    void add(EngineTwin engine, double waitSeconds, double ownFactor, double ownPromptTokens) {
        wait[count] = waitSeconds;
        waitSum += waitSeconds;
        decodes[count] = engine.batch().size();
        contextTokens[count] = engine.batch().contextTokens();
        contextVariance[count] = engine.batch().variance();
        chunksAhead[count] = engine.watched().chunksAhead();
        tokensAhead[count] = engine.watched().tokensAhead();
        kvTokensAhead[count] = engine.watched().kvTokensAhead();
        lengthsAhead[count] = engine.watched().lengthsAhead();
        squaredLengthsAhead[count] = engine.watched().squaredLengthsAhead();
        requestsBehind[count] = engine.watched().requestsBehind();
        tokensBehind[count] = engine.watched().tokensBehind();
        lengthsBehind[count] = engine.watched().lengthsBehind();
        squaredLengthsBehind[count] = engine.watched().squaredLengthsBehind();
        factor[count] = ownFactor;
        promptTokens[count] = ownPromptTokens;
        count++;
    }

    int count() {
        return count;
    }

    double meanWaitSeconds() {
        return waitSum / count;
    }

    /** From arrival until the request's first step begins; in a DECODE pool until its first token from there. */
    double waitSeconds(int trial) {
        return wait[trial];
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

    /** Prompts that wait behind the request when its first step begins, up to the budget of a step. */
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
