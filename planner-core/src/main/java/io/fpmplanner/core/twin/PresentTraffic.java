/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.TokenLengths;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Traffic of a pool at present, or of a pair: prompts as the prefill pool sees them, answers as the decode pool does.
 *
 * @param requestsPerSecond arrivals; empty while not known
 * @param inputTokens full prompts; empty while not known
 * @param outputTokens answers, the first token included; empty while not known
 * @param cachedShare share of the prompt tokens found in the prefix cache
 */
public record PresentTraffic(
        OptionalDouble requestsPerSecond,
        Optional<TokenLengths> inputTokens,
        Optional<TokenLengths> outputTokens,
        double cachedShare) {
    /** Of a pool, or of a prefill pool with its decode pool. */
    public static PresentTraffic of(PoolView pool, @Nullable PoolView decode) {
        PoolLoad.Traffic traffic = pool.load().traffic();
        Role role = pool.settings().role();
        double cached =
                role == Role.DECODE ? 0 : Math.min(0.99, traffic.cachedShare().orElse(0));
        OptionalDouble rate =
                traffic.requestsPerSecond().orElse(0) > 0 ? traffic.requestsPerSecond() : OptionalDouble.empty();
        Optional<TokenLengths> input = traffic.fullInputTokens(0);
        Optional<TokenLengths> output = role == Role.PREFILL
                ? Optional.of(TokenLengths.fixed(1))
                : lengths(traffic.outputTokens(), traffic.outputDeviation(), role == Role.DECODE ? 1 : 0);
        if (decode != null) {
            PoolLoad.Traffic there = decode.load().traffic();
            output = lengths(there.outputTokens(), there.outputDeviation(), 1);
        }
        return new PresentTraffic(rate, input, output, cached);
    }

    /** All of it as Poisson traffic; empty while something is not known. */
    public Optional<Workload> workload() {
        if (requestsPerSecond.isEmpty() || inputTokens.isEmpty() || outputTokens.isEmpty()) {
            return Optional.empty();
        }
        double rate = Math.min(Workload.MAX_REQUESTS_PER_SECOND, requestsPerSecond.getAsDouble());
        return Optional.of(new Workload(rate, 1, inputTokens.get(), outputTokens.get(), cachedShare));
    }

    private static Optional<TokenLengths> lengths(OptionalDouble tokens, OptionalDouble deviation, double more) {
        if (tokens.isEmpty()) {
            return Optional.empty();
        }
        double mean = Math.max(1, Math.min(TokenLengths.MAX_TOKENS, tokens.getAsDouble() + more));
        return Optional.of(TokenLengths.spread(mean, Math.min(deviation.orElse(0), 4 * mean)));
    }
}
