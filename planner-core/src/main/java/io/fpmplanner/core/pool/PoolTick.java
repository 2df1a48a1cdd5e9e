/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.ArrayList;
import java.util.List;

/** Sums over the live ranks of a pool at one tick. Lives for one tick; not threadsafe. */
final class PoolTick {
    final long nowNanos;
    /** Since the tick before. */
    final long tickNanos;
    /** Time between back-to-back steps that wall times do not hold. */
    final double gapSeconds;
    /** Change of the queues: prompt tokens, prompts, requests waiting to decode. */
    final double[] growth = new double[3];
    /** The same of the rank that is looked at. */
    final double[] rankGrowth = new double[3];

    final TrafficRow row = new TrafficRow();
    final List<SeenLatency.Wait> waits = new ArrayList<>();
    double running;
    double runningKvTokens;
    double queuedPrefillRequests;
    double queuedPrefillTokens;
    double queuedDecodeRequests;
    double queuedDecodeKvTokens;
    double inside;
    double insideSquares;
    int ranks;
    private double busy;

    PoolTick(long nowNanos, long tickNanos, double gapSeconds) {
        this.nowNanos = nowNanos;
        this.tickNanos = tickNanos;
        this.gapSeconds = gapSeconds;
    }

    /** Notes how the queue of a rank has changed. */
    void grow(double promptTokens, double prompts, double decodes) {
        rankGrowth[0] = promptTokens;
        rankGrowth[1] = prompts;
        rankGrowth[2] = decodes;
        for (int i = 0; i < growth.length; i++) {
            growth[i] += rankGrowth[i];
        }
    }

    void add(RankView rank) {
        RankLoad load = rank.load();
        running += load.decodeRequests();
        runningKvTokens += load.decodeKvTokens();
        queuedPrefillRequests += load.queuedPrefillRequests();
        queuedPrefillTokens += load.queuedPrefillTokens();
        queuedDecodeRequests += load.queuedDecodeRequests();
        queuedDecodeKvTokens += load.queuedDecodeKvTokens();
        double span = rank.window().spanSeconds();
        busy += span > 0 ? Math.min(1, rank.window().wallTimeSeconds() / span) : 0;
        ranks++;
        double here = load.decodeRequests() + load.queuedPrefillRequests() + load.queuedDecodeRequests();
        inside += here;
        insideSquares += here * here;
    }

    double busyShare() {
        return ranks == 0 ? 0 : busy / ranks;
    }
}
