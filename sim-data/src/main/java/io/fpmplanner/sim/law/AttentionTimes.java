/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import io.fpmplanner.sim.engine.StepBatch;

/**
 * Measured attention of one layer. Immutable.
 *
 * @param decode requests and mean context to microseconds, in a step without prompts
 * @param decodeBeside the same beside a prompt chunk of up to 128 tokens: the kernel is then another and slower
 * @param besideExtra length of the chunk to microseconds more per decoding request
 * @param chunk length of a prompt chunk to microseconds of its own attention
 * @param chunkContext length of a prompt chunk to microseconds per token of context before it
 * @param skew share of what the longest context takes beyond the mean one that the whole batch loses
 */
record AttentionTimes(Grid decode, Grid decodeBeside, Curve besideExtra, Curve chunk, Curve chunkContext, double skew) {
    private static final double MICRO = 1e-6;

    /**
     * Seconds of one layer.
     *
     * @param scales from the measured platform to the one in question
     */
    double seconds(StepBatch batch, KernelProfile.Scales scales) {
        double micros = 0;
        double longestChunk = 0;
        if (batch.prefillRequests() > 0) {
            double launch = chunk.at(1); // Chunks of several prompts are one launch.
            double own = launch;
            for (int i = 0; i < batch.size(); i++) {
                if (batch.isPrefill(i)) {
                    int tokens = batch.tokens(i);
                    longestChunk = Math.max(longestChunk, tokens);
                    own += chunk.at(tokens) - launch + chunkContext.at(tokens) * batch.contextTokens(i);
                }
            }
            micros += scales.chunk() * own;
        }
        if (batch.decodeRequests() > 0) {
            double measured = decodeMicros(batch, scales.context(), longestChunk);
            double tokens = scales.context() * (batch.decodeContextTokens() + batch.decodeTokens());
            micros += Math.max(measured / 2, measured + tokens * scales.decodeMicrosPerToken());
        }
        return MICRO * micros;
    }

    private double decodeMicros(StepBatch batch, double contextScale, double longestChunk) {
        int requests = batch.decodeRequests();
        double mean = (double) batch.decodeContextTokens() / requests + 1;
        double unequal = 1 + skew * Math.max(0, (batch.longestDecodeContext() + 1) / mean - 1);
        return longestChunk == 0
                ? unequal * decode.at(requests, mean * contextScale)
                : unequal * decodeBeside.at(requests, mean * contextScale) + requests * besideExtra.at(longestChunk);
    }
}
