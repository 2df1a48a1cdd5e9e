/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

import io.fpmplanner.core.fpm.FpmFrame;

/**
 * One frame of a recording, without its arrival.
 *
 * @param workerId identity of the worker, empty if not recorded
 * @param dpRank data-parallel rank
 * @param counterId place in the stream of its rank; gaps are frames that were not recorded, such as heartbeats
 * @param wallTimeSeconds time of the forward pass
 * @param scheduled what it computed
 * @param queued what waited meanwhile
 */
public record RecordedFrame(
        String workerId, int dpRank, long counterId, double wallTimeSeconds, Scheduled scheduled, Queued queued) {
    /** The batch, in the words of the wire. */
    public record Scheduled(
            long prefillRequests,
            long prefillTokens,
            double prefillLengthVariance,
            long prefillKvTokens,
            long decodeRequests,
            long decodeKvTokens,
            double decodeKvVariance) {}

    /** The queue, in the words of the wire. */
    public record Queued(
            long prefillRequests,
            long prefillTokens,
            double prefillLengthVariance,
            long decodeRequests,
            long decodeKvTokens,
            double decodeKvVariance) {}

    /** The payload of a frame. */
    static RecordedFrame of(FpmFrame frame) {
        return new RecordedFrame(
                frame.workerId(),
                frame.dpRank(),
                frame.counterId(),
                frame.wallTimeSeconds(),
                new Scheduled(
                        frame.scheduledPrefillRequests(),
                        frame.scheduledPrefillTokens(),
                        frame.scheduledPrefillLengthVariance(),
                        frame.scheduledPrefillKvTokens(),
                        frame.scheduledDecodeRequests(),
                        frame.scheduledDecodeKvTokens(),
                        frame.scheduledDecodeKvVariance()),
                new Queued(
                        frame.queuedPrefillRequests(),
                        frame.queuedPrefillTokens(),
                        frame.queuedPrefillLengthVariance(),
                        frame.queuedDecodeRequests(),
                        frame.queuedDecodeKvTokens(),
                        frame.queuedDecodeKvVariance()));
    }

    /** Whether nothing was computed, or its time was not measured. */
    public boolean isIdle() {
        return wallTimeSeconds <= 0
                || (scheduled.prefillRequests | scheduled.prefillTokens | scheduled.decodeRequests) == 0;
    }

    /** Fills the payload of a frame as the decoder would. */
    public void fill(FpmFrame frame) {
        frame.clearPayload()
                .workerId(workerId)
                .dpRank(dpRank)
                .counterId(counterId)
                .wallTimeSeconds(wallTimeSeconds)
                .scheduledPrefill(
                        scheduled.prefillRequests,
                        scheduled.prefillTokens,
                        scheduled.prefillLengthVariance,
                        scheduled.prefillKvTokens)
                .scheduledDecode(scheduled.decodeRequests, scheduled.decodeKvTokens, scheduled.decodeKvVariance)
                .queuedPrefill(queued.prefillRequests, queued.prefillTokens, queued.prefillLengthVariance)
                .queuedDecode(queued.decodeRequests, queued.decodeKvTokens, queued.decodeKvVariance);
    }
}
