/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The workload of a pool as its frames tell: what it has to do now, and what kind of requests come.
 *
 * @param running requests that decode now, over all live ranks
 * @param runningKvTokens their context lengths, tokens, summed
 * @param queuedPrefillRequests prompts that wait
 * @param queuedPrefillTokens their tokens, cache hits not discounted
 * @param queuedDecodeRequests requests that wait to decode
 * @param queuedDecodeKvTokens their context lengths, tokens, summed
 * @param busyShare share of time spent in steps lately, averaged over live ranks, 0 to 1
 * @param gapSeconds median time between two back-to-back steps that wall times do not hold; 0 when not observable
 * @param tick what happened since the previous tick
 * @param traffic what kind of requests come, over the long window; what was supplied wins
 * @param supplied what somebody who sees the requests says of them; empty if nobody does
 * @param seen latency since the previous tick, as far as frames show it
 */
public record PoolLoad(
        double running,
        double runningKvTokens,
        double queuedPrefillRequests,
        double queuedPrefillTokens,
        double queuedDecodeRequests,
        double queuedDecodeKvTokens,
        double busyShare,
        double gapSeconds,
        Tick tick,
        Traffic traffic,
        Optional<SuppliedTraffic> supplied,
        SeenLatency seen) {
    /** A load of which nothing was supplied and nothing seen. */
    public PoolLoad(
            double running,
            double runningKvTokens,
            double queuedPrefillRequests,
            double queuedPrefillTokens,
            double queuedDecodeRequests,
            double queuedDecodeKvTokens,
            double busyShare,
            double gapSeconds,
            Tick tick,
            Traffic traffic) {
        this(
                running,
                runningKvTokens,
                queuedPrefillRequests,
                queuedPrefillTokens,
                queuedDecodeRequests,
                queuedDecodeKvTokens,
                busyShare,
                gapSeconds,
                tick,
                traffic,
                Optional.empty(),
                SeenLatency.NONE);
    }

    /**
     * Totals over the live ranks since the previous tick.
     *
     * @param seconds length of the tick; 0 at the first
     * @param prefillTokens prompt tokens computed
     * @param prefillsCompleted prompts whose last chunk was computed; continuations of a cut prompt are not counted
     * @param decodeTokens requests decoded, summed over steps
     * @param queueGrowthTokens change of the waiting prompt tokens, cache hits discounted
     * @param queueGrowthRequests change of the waiting prompts
     * @param decodeQueueGrowthRequests change of the requests waiting to decode
     * @param steps steps with work
     */
    public record Tick(
            double seconds,
            double prefillTokens,
            double prefillsCompleted,
            double decodeTokens,
            double queueGrowthTokens,
            double queueGrowthRequests,
            double decodeQueueGrowthRequests,
            double steps) {}

    /**
     * The kind of traffic, inferred by flow balance over up to {@code windowSeconds}; empty where frames do not tell.
     *
     * <p>Rates are over the newest 30 s, lengths and shares over the whole window.
     *
     * @param windowSeconds time covered
     * @param requestsPerSecond arrivals
     * @param prefillTokensPerSecond prompt tokens to compute that arrive, cache hits discounted
     * @param decodeTokensPerSecond tokens generated
     * @param inputTokens mean prompt tokens computed per request
     * @param cachedShare share of prompt tokens found in the prefix cache, 0 to 1
     * @param outputTokens mean tokens generated per request
     * @param contextTokens mean context length of a decoding request
     * @param contextDeviation standard deviation of context lengths within a step, tokens
     * @param inputDeviation standard deviation of full prompt lengths, tokens
     * @param outputDeviation standard deviation of the tokens generated per request
     * @param imbalance how unevenly requests are spread over the live ranks: near 0 in turn or behind a load-aware
     *     router, about 1 if each goes to any rank alike
     * @param inputLengths full prompt lengths in detail; empty where mean and deviation are all that is known
     */
    public record Traffic(
            double windowSeconds,
            OptionalDouble requestsPerSecond,
            double prefillTokensPerSecond,
            double decodeTokensPerSecond,
            OptionalDouble inputTokens,
            OptionalDouble cachedShare,
            OptionalDouble outputTokens,
            OptionalDouble contextTokens,
            OptionalDouble contextDeviation,
            OptionalDouble inputDeviation,
            OptionalDouble outputDeviation,
            OptionalDouble imbalance,
            Optional<TokenLengths> inputLengths) {
        /** Of whose prompt lengths no more is known than mean and deviation, and nothing of how contexts differ. */
        public Traffic(
                double windowSeconds,
                OptionalDouble requestsPerSecond,
                double prefillTokensPerSecond,
                double decodeTokensPerSecond,
                OptionalDouble inputTokens,
                OptionalDouble cachedShare,
                OptionalDouble outputTokens,
                OptionalDouble contextTokens,
                OptionalDouble inputDeviation,
                OptionalDouble outputDeviation,
                OptionalDouble imbalance) {
            this(
                    windowSeconds,
                    requestsPerSecond,
                    prefillTokensPerSecond,
                    decodeTokensPerSecond,
                    inputTokens,
                    cachedShare,
                    outputTokens,
                    contextTokens,
                    OptionalDouble.empty(),
                    inputDeviation,
                    outputDeviation,
                    imbalance,
                    Optional.empty());
        }

        /** Full prompts: in detail if known, else by mean and deviation; empty while not even the mean is known. */
        public Optional<TokenLengths> fullInputTokens(double assumedVariation) {
            if (inputLengths.isPresent() || inputTokens.isEmpty()) {
                return inputLengths;
            }
            double mean = inputTokens.getAsDouble() / (1 - Math.min(MOST_CACHED, cachedShare.orElse(0)));
            double tokens = Math.max(1, Math.min(TokenLengths.MAX_TOKENS, mean));
            double deviation = inputDeviation.orElse(assumedVariation * tokens);
            return Optional.of(TokenLengths.spread(tokens, Math.min(deviation, MOST_VARIATION * tokens)));
        }

        private static final double MOST_CACHED = 0.95;
        private static final double MOST_VARIATION = 4;
    }
}
