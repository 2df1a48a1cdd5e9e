/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The payload of a frame as an immutable value, with the fields as on the wire: counts of requests and tokens, variances in
 * tokens squared, wall time in seconds. A variance is empty where the frame does not say it.
 */
public record FrameView(
        int version,
        String workerId,
        int dpRank,
        long counterId,
        String timingScope,
        double wallTimeSeconds,
        Scheduled scheduled,
        Queued queued,
        Optional<PrefixCached> prefixCached) {

    /** What the forward pass computed. */
    public record Scheduled(
            long prefillRequests,
            long prefillTokens,
            OptionalDouble prefillLengthVariance,
            long prefillKvTokens,
            long decodeRequests,
            long decodeKvTokens,
            OptionalDouble decodeKvVariance) {}

    /** What waited when the frame was made. */
    public record Queued(
            long prefillRequests,
            long prefillTokens,
            OptionalDouble prefillLengthVariance,
            long decodeRequests,
            long decodeKvTokens,
            OptionalDouble decodeKvVariance) {}

    /**
     * What the forward pass found in the prefix cache, from engines that say it apart.
     *
     * @param prefillTokens prompt tokens that were found there, summed over the requests in prefill
     * @param uncachedPrefillLengthVariance population variance of what was left to compute of those prompts
     * @param decodeKvTokens of the contexts that decode, tokens that were found there, summed
     * @param decodeKvVariance population variance of those
     */
    public record PrefixCached(
            OptionalLong prefillTokens,
            OptionalDouble uncachedPrefillLengthVariance,
            OptionalLong decodeKvTokens,
            OptionalDouble decodeKvVariance) {
        private static final PrefixCached NOTHING = new PrefixCached(
                OptionalLong.empty(), OptionalDouble.empty(), OptionalLong.empty(), OptionalDouble.empty());

        private static Optional<PrefixCached> of(FrameNumbers numbers) {
            PrefixCached said = new PrefixCached(
                    numbers.optionalCount(FpmFields.PREFIX_CACHED_PREFILL_TOKENS),
                    numbers.optionalReal(FpmFields.UNCACHED_PREFILL_LENGTH_VARIANCE),
                    numbers.optionalCount(FpmFields.PREFIX_CACHED_DECODE_KV_TOKENS),
                    numbers.optionalReal(FpmFields.PREFIX_CACHED_DECODE_KV_VARIANCE));
            return said.equals(NOTHING) ? Optional.empty() : Optional.of(said);
        }
    }

    static FrameView of(FpmFrame frame) {
        FrameNumbers numbers = frame.numbers();
        return new FrameView(
                frame.version(),
                frame.workerId(),
                frame.dpRank(),
                frame.counterId(),
                frame.timingScope(),
                frame.wallTimeSeconds(),
                new Scheduled(
                        frame.scheduledPrefillRequests(),
                        frame.scheduledPrefillTokens(),
                        numbers.optionalReal(FpmFields.SCHEDULED_PREFILL_LENGTH_VARIANCE),
                        frame.scheduledPrefillKvTokens(),
                        frame.scheduledDecodeRequests(),
                        frame.scheduledDecodeKvTokens(),
                        numbers.optionalReal(FpmFields.SCHEDULED_DECODE_KV_VARIANCE)),
                new Queued(
                        frame.queuedPrefillRequests(),
                        frame.queuedPrefillTokens(),
                        numbers.optionalReal(FpmFields.QUEUED_PREFILL_LENGTH_VARIANCE),
                        frame.queuedDecodeRequests(),
                        frame.queuedDecodeKvTokens(),
                        numbers.optionalReal(FpmFields.QUEUED_DECODE_KV_VARIANCE)),
                PrefixCached.of(numbers));
    }
}
