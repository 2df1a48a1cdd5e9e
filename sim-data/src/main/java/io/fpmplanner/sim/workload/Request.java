/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

/**
 * One inference request. Immutable.
 *
 * @param id unique within a run
 * @param arrivalNanos when it reached the fleet, on the simulation's clock
 * @param inputTokens prompt length, &ge; 1
 * @param cachedTokens leading prompt tokens whose KV is in the engine's prefix cache whatever engine it meets; in [0,
 *     inputTokens)
 * @param outputTokens tokens it will generate, &ge; 1
 * @param prefix hashes of its leading blocks, by which engines with a prefix cache find out what they have of it
 */
public record Request(
        long id, long arrivalNanos, int inputTokens, int cachedTokens, int outputTokens, PrefixBlocks prefix) {
    public Request {
        if (inputTokens < 1 || outputTokens < 1) {
            throw new IllegalArgumentException("a request needs at least one input and one output token, had "
                    + inputTokens + " and " + outputTokens);
        }
        if (cachedTokens < 0 || cachedTokens >= inputTokens) {
            throw new IllegalArgumentException(
                    "cachedTokens must lie in [0, inputTokens), was " + cachedTokens + " of " + inputTokens);
        }
    }

    /** A request whose prompt shares nothing beyond {@code cachedTokens}. */
    public Request(long id, long arrivalNanos, int inputTokens, int cachedTokens, int outputTokens) {
        this(id, arrivalNanos, inputTokens, cachedTokens, outputTokens, PrefixBlocks.NONE);
    }
}
