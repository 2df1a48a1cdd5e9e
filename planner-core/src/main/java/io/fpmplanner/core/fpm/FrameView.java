/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

/**
 * The payload of one frame as an immutable value, fields as on the wire: counts of requests and tokens, variances in
 * tokens squared, wall time in seconds.
 */
public record FrameView(
        int version,
        String workerId,
        int dpRank,
        long counterId,
        String timingScope,
        double wallTimeSeconds,
        Scheduled scheduled,
        Queued queued) {

    /** What the forward pass computed. */
    public record Scheduled(
            long prefillRequests,
            long prefillTokens,
            double prefillLengthVariance,
            long prefillKvTokens,
            long decodeRequests,
            long decodeKvTokens,
            double decodeKvVariance) {}

    /** What waited when the frame was made. */
    public record Queued(
            long prefillRequests,
            long prefillTokens,
            double prefillLengthVariance,
            long decodeRequests,
            long decodeKvTokens,
            double decodeKvVariance) {}
}
