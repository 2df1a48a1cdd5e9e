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
    private double tokensBehind;

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
    void note(double nowSeconds, double chunks, double tokens, double kvTokens) {
        startSeconds = nowSeconds;
        chunksAhead = chunks;
        tokensAhead = tokens;
        kvTokensAhead = kvTokens;
    }

    void noteBehind(TwinRequests waiting, double mostTokens) {
        tokensBehind = 0;
        for (int i = 1; i < waiting.size() && tokensBehind < mostTokens; i++) {
            tokensBehind += waiting.leftTokens(i);
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

    /** Prompt tokens waiting behind the watched request when it started, up to the budget of a step. */
    double tokensBehind() {
        return tokensBehind;
    }
}
