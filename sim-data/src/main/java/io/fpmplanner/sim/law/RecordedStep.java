/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

/**
 * What a step computed and how long it took. Immutable.
 *
 * @param prefillTokens prompt tokens computed
 * @param prefillRequests requests with a prompt chunk
 * @param prefillContextTokens their tokens in the KV cache before
 * @param decodeRequests requests that decoded
 * @param decodeContextTokens their context, tokens, summed
 * @param seconds wall time; &gt; 0 for a step that did something
 */
record RecordedStep(
        double prefillTokens,
        double prefillRequests,
        double prefillContextTokens,
        double decodeRequests,
        double decodeContextTokens,
        double seconds) {
    boolean hasWork() {
        return seconds > 0 && prefillRequests + decodeRequests > 0;
    }

    /** What its cost is coarsely linear in: 1, tokens, query-key pairs, chunk context, decoding requests and their context. */
    double[] features() {
        return features(prefillTokens, pairs(), prefillContextTokens, decodeRequests, decodeContextTokens);
    }

    private double pairs() {
        double each = prefillTokens / Math.max(1, prefillRequests);
        return each * prefillContextTokens + prefillTokens * each / 2;
    }

    static double[] features(
            double prefillTokens, double pairs, double context, double decodeRequests, double decodeContext) {
        return new double[] {1, prefillTokens, pairs, context, decodeRequests, decodeContext};
    }

    double[] place() {
        return place(prefillTokens, prefillContextTokens, decodeRequests, decodeContextTokens);
    }

    /** Where it lies among others: equal ratios are equally far. */
    static double[] place(double prefillTokens, double context, double decodeRequests, double decodeContext) {
        return new double[] {
            StrictMath.log1p(prefillTokens),
            0.5 * StrictMath.log1p(context),
            2 * StrictMath.log1p(decodeRequests),
            StrictMath.log1p(decodeContext)
        };
    }
}
