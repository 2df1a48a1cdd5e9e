/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/**
 * Speculative decoding: drafts are checked in one step and accepted up to the first wrong one. Immutable.
 *
 * @param draftTokens drafts that a decoding request has checked in each step; 0 for no speculation, at most 32
 * @param acceptance probability that a draft is right when all before it were; in [0, 1]
 * @param draftSeconds time the drafting adds to a step with a decoding request; &ge; 0
 */
public record Speculation(int draftTokens, double acceptance, double draftSeconds) {
    /** Every token by a step of its own. */
    public static final Speculation NONE = new Speculation(0, 0, 0);

    /*
     * Leviathan, Kalman, Matias, "Fast inference from transformers via speculative decoding", ICML 2023: with independent
     * acceptance a of each draft a step brings (1 - a^(k+1)) / (1 - a) tokens in the mean.
     */
    public Speculation {
        if (draftTokens < 0 || draftTokens > 32) {
            throw new IllegalArgumentException("draftTokens must lie between 0 and 32, was " + draftTokens);
        }
        if (!(acceptance >= 0 && acceptance <= 1)) {
            throw new IllegalArgumentException("acceptance must lie between 0 and 1, was " + acceptance);
        }
        if (!(draftSeconds >= 0 && draftSeconds <= 10)) {
            throw new IllegalArgumentException("draftSeconds must lie between 0 and 10, was " + draftSeconds);
        }
    }
}
