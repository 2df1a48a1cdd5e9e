/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FrameView;
import java.util.Optional;

/**
 * One stream of frames: a (endpoint, publisher, worker, data-parallel rank).
 *
 * @param endpoint where its frames come from
 * @param publisherId publisher on an event plane that passes them on, -1 if they come directly
 * @param workerId identity of its worker, may be empty
 * @param dpRank data-parallel rank
 * @param state what its silence says
 * @param incarnation 1 for the first life seen, one more with each restart
 * @param counters what was counted
 * @param lastSequence newest position in its stream, -1 if frames are not numbered
 * @param lastReceivedNanos arrival of the newest frame
 * @param lastFrame the newest frame
 * @param load what it has to do now
 * @param requests what kind of requests come to it
 * @param window how its steps were shared lately
 * @param speed its step times relative to its peers', as of the tick before
 * @param kv what its engine said of its KV cache and load apart from frames
 */
public record RankView(
        String endpoint,
        long publisherId,
        String workerId,
        int dpRank,
        LivenessState state,
        int incarnation,
        RankCounters counters,
        long lastSequence,
        long lastReceivedNanos,
        FrameView lastFrame,
        RankLoad load,
        RankWorkload requests,
        StepMix window,
        Speed speed,
        Optional<KvView> kv) {
    /* Engines send a heartbeat after 1 s without a frame; half as much again is for the way. */
    private static final double HEARTBEAT_SECONDS = 1.5;

    /** What kind of requests come to it; worked out anew at each call. */
    public WorkloadView workload() {
        return requests.view();
    }

    /**
     * What it is doing at the moment of the plan.
     *
     * @param nowNanos that moment
     */
    public RankActivity activity(long nowNanos) {
        if (state != LivenessState.LIVE) {
            return state == LivenessState.GONE ? RankActivity.GONE : RankActivity.SILENT;
        }
        if (load.idle()) {
            return RankActivity.IDLE;
        }
        double sinceStep = Math.max(load.ageSeconds(), (nowNanos - lastReceivedNanos) / 1e9);
        return sinceStep > HEARTBEAT_SECONDS ? RankActivity.LONG_STEP : RankActivity.BUSY;
    }
}
