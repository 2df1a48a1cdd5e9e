/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What somebody who sees the requests, such as a front end, says of them; it wins over what frames tell.
 *
 * @param requestsPerSecond arrivals at the pool, &ge; 0
 * @param inputTokens full prompts
 * @param outputTokens answers, the first token included
 * @param cachedShare share of prompt tokens found in the prefix cache; 0 to 0.99
 * @param validUntilNanos forgotten after that moment, nanoseconds since the Unix epoch on the caller's clock
 */
public record SuppliedWorkload(
        OptionalDouble requestsPerSecond,
        Optional<TokenLengths> inputTokens,
        Optional<TokenLengths> outputTokens,
        OptionalDouble cachedShare,
        long validUntilNanos) {
    private static final double MOST_REQUESTS = 1e6;
    private static final double MOST_CACHED = 0.99;

    public SuppliedWorkload {
        requestsPerSecond.ifPresent(rate -> Checks.between("requestsPerSecond", rate, 0, MOST_REQUESTS));
        cachedShare.ifPresent(share -> Checks.between("cachedShare", share, 0, MOST_CACHED));
    }

    /** Of means only. */
    static SuppliedWorkload of(SuppliedTraffic told, long validUntilNanos) {
        return new SuppliedWorkload(
                least(told.requestsPerSecond(), MOST_REQUESTS),
                lengths(told.inputTokens()),
                lengths(told.outputTokens()),
                least(told.cachedShare(), MOST_CACHED),
                validUntilNanos);
    }

    private static OptionalDouble least(OptionalDouble value, double most) {
        return value.isPresent() ? OptionalDouble.of(Math.min(most, value.getAsDouble())) : value;
    }

    private static Optional<TokenLengths> lengths(OptionalDouble mean) {
        return mean.isPresent() ? Optional.of(TokenLengths.fixed(mean.getAsDouble())) : Optional.empty();
    }

    /** The means of it. */
    SuppliedTraffic traffic() {
        return new SuppliedTraffic(requestsPerSecond, mean(inputTokens), mean(outputTokens), cachedShare);
    }

    private static OptionalDouble mean(Optional<TokenLengths> lengths) {
        return lengths.isPresent() ? OptionalDouble.of(lengths.get().mean()) : OptionalDouble.empty();
    }

    /** Puts what was said in the place of what frames tell. */
    PoolLoad.Traffic over(PoolLoad.Traffic inferred, Role role) {
        OptionalDouble cached = cachedShare.isPresent() ? cachedShare : inferred.cachedShare();
        double uncached = role == Role.DECODE ? 1 : 1 - cached.orElse(0);
        OptionalDouble input = inputTokens.isPresent()
                ? OptionalDouble.of(Math.max(1, inputTokens.get().mean() * uncached))
                : inferred.inputTokens();
        double elsewhere = role == Role.DECODE ? 1 : 0;
        OptionalDouble output = outputTokens.isPresent() && role != Role.PREFILL
                ? OptionalDouble.of(Math.max(1, outputTokens.get().mean() - elsewhere))
                : inferred.outputTokens();
        boolean rate = requestsPerSecond.isPresent();
        return new PoolLoad.Traffic(
                inferred.windowSeconds(),
                rate ? requestsPerSecond : inferred.requestsPerSecond(),
                rate && input.isPresent()
                        ? requestsPerSecond.getAsDouble() * input.getAsDouble()
                        : inferred.prefillTokensPerSecond(),
                rate && output.isPresent()
                        ? requestsPerSecond.getAsDouble() * output.getAsDouble()
                        : inferred.decodeTokensPerSecond(),
                input,
                cached,
                output,
                inferred.contextTokens(),
                inferred.contextDeviation(),
                deviation(inputTokens, inferred.inputDeviation()),
                role == Role.PREFILL ? inferred.outputDeviation() : deviation(outputTokens, inferred.outputDeviation()),
                inferred.imbalance(),
                inputTokens.isPresent()
                        ? inputTokens.filter(lengths -> lengths.standardDeviation() > 0)
                        : inferred.inputLengths());
    }

    /** Who tells a mean only does not say that all requests are alike. */
    private static OptionalDouble deviation(Optional<TokenLengths> said, OptionalDouble inferred) {
        return said.isPresent() && said.get().standardDeviation() > 0
                ? OptionalDouble.of(said.get().standardDeviation())
                : inferred;
    }

    /** The same, number by number. */
    WorkloadView over(WorkloadView inferred, Role role) {
        boolean decodes = role != Role.PREFILL;
        double elsewhere = role == Role.DECODE ? 1 : 0;
        return new WorkloadView(
                said(requestsPerSecond, inferred.requestsPerSecond()),
                said(inputTokens.map(TokenLengths::mean), inferred.inputTokens()),
                said(deviation(inputTokens, OptionalDouble.empty()), inferred.inputDeviation()),
                said(
                        outputTokens.filter(lengths -> decodes).map(lengths -> Math.max(1, lengths.mean() - elsewhere)),
                        inferred.outputTokens()),
                said(
                        deviation(outputTokens.filter(lengths -> decodes), OptionalDouble.empty()),
                        inferred.outputDeviation()),
                said(cachedShare, inferred.cachedShare()),
                inferred.decodeConcurrency(),
                inferred.prefillTokensPerSecond(),
                inferred.decodeTokensPerSecond(),
                inferred.queueGrowthPerSecond(),
                inferred.kvTokens(),
                inferred.kvCapacityTokens(),
                inferred.gapSeconds());
    }

    private static Quantity said(OptionalDouble value, Quantity otherwise) {
        return value.isPresent() ? Quantity.exact(value.getAsDouble(), Quantity.Origin.SUPPLIED) : otherwise;
    }

    private static Quantity said(Optional<Double> value, Quantity otherwise) {
        return value.map(number -> Quantity.exact(number, Quantity.Origin.SUPPLIED))
                .orElse(otherwise);
    }
}
