/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** What waited at a rank at the previous tick, for its growth; of the present incarnation. */
final class QueueLevel {
    private double prefillTokens;
    private double prefillRequests;
    private double decodeRequests;

    /** Tells the tick how far what waits has grown since the one before. */
    void moveTo(RankLoad load, PoolTick tick) {
        tick.grow(
                load.queuedPrefillTokens() - prefillTokens,
                load.queuedPrefillRequests() - prefillRequests,
                load.queuedDecodeRequests() - decodeRequests);
        prefillTokens = load.queuedPrefillTokens();
        prefillRequests = load.queuedPrefillRequests();
        decodeRequests = load.queuedDecodeRequests();
    }

    void clear() {
        prefillTokens = 0;
        prefillRequests = 0;
        decodeRequests = 0;
    }
}
