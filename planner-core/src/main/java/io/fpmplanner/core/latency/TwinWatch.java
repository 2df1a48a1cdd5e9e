/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/** Notes when one request's own prefill begins, and beside what. Not threadsafe. */
final class TwinWatch {
    private static final int NO_REQUEST = Integer.MIN_VALUE;

    private int request = NO_REQUEST;
    private double startSeconds = Double.POSITIVE_INFINITY;
    private double chunksAhead;
    private double tokensAhead;
    private double kvTokensAhead;
    private double lengthsAhead;
    private double squaredLengthsAhead;
    private double requestsBehind;
    private double tokensBehind;
    private double lengthsBehind;
    private double squaredLengthsBehind;

    void clear() {
        watch(NO_REQUEST);
    }

    void watch(int watched) {
        request = watched;
        startSeconds = Double.POSITIVE_INFINITY;
    }

    boolean isWatched(int candidate) {
        return candidate == request;
    }

    /** The watched request is first in the queue and is taken into the step that begins, after so much. */
    void note(double nowSeconds, TwinPrompts ahead) {
        startSeconds = nowSeconds;
        chunksAhead = ahead.chunks();
        tokensAhead = ahead.tokens();
        kvTokensAhead = ahead.kvTokensBefore();
        lengthsAhead = ahead.lengths();
        squaredLengthsAhead = ahead.squaredLengths();
    }

    void noteBehind(TwinRequests waiting, double mostTokens) {
        requestsBehind = 0;
        tokensBehind = 0;
        lengthsBehind = 0;
        squaredLengthsBehind = 0;
        for (int i = 1; i < waiting.size() && tokensBehind < mostTokens; i++) {
            double length = waiting.doneTokens(i) + waiting.leftTokens(i);
            requestsBehind++;
            tokensBehind += waiting.leftTokens(i);
            lengthsBehind += length;
            squaredLengthsBehind += length * length;
        }
    }

    /** When the watched request's first chunk was scheduled; infinite while it was not. */
    double startSeconds() {
        return startSeconds;
    }

    double chunksAhead() {
        return chunksAhead;
    }

    /** Tokens scheduled before the watched request in its first step. */
    double tokensAhead() {
        return tokensAhead;
    }

    double kvTokensAhead() {
        return kvTokensAhead;
    }

    /** Full lengths of the prompts scheduled before it in that step, summed. */
    double lengthsAhead() {
        return lengthsAhead;
    }

    double squaredLengthsAhead() {
        return squaredLengthsAhead;
    }

    /** Prompt tokens waiting behind the watched request when it started, up to the budget of a step. */
    double tokensBehind() {
        return tokensBehind;
    }

    /** How many prompts those are, their full lengths, and the squares of these. */
    double requestsBehind() {
        return requestsBehind;
    }

    double lengthsBehind() {
        return lengthsBehind;
    }

    double squaredLengthsBehind() {
        return squaredLengthsBehind;
    }
}
