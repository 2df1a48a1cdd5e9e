/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.pool.StepListener;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/** Feeds a recording to a planner as if its frames came off the wire, one after the other, in the time they took. */
final class Replay {
    private static final String ENDPOINT = "recording://";
    private static final int TIMED_PASSES = 5;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICROSECOND = 1e3;

    private final LongSupplier nanoTime;

    /** {@code nanoTime} measures what a frame costs; it has no part in the result otherwise. */
    Replay(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Scores the recording in one pass and times it in further ones, so that scoring is not counted as cost. The fastest
     * counts: the others met an interpreter that was still compiling, or a busy machine.
     */
    RecordingScore score(String file, List<RecordedFrame> frames) {
        StepScorer scorer = new StepScorer();
        feed(frames, scorer);
        double micros = Double.POSITIVE_INFINITY;
        for (int pass = 0; pass < TIMED_PASSES; pass++) {
            long start = nanoTime.getAsLong();
            feed(frames, StepListener.NONE);
            micros = Math.min(micros, (nanoTime.getAsLong() - start) / NANOS_PER_MICROSECOND);
        }
        return new RecordingScore(
                file,
                scorer.total(),
                scorer.regimes(),
                frames.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(micros / frames.size()));
    }

    private static void feed(List<RecordedFrame> frames, StepListener listener) {
        Planner planner = new Planner(List.of(settings()), listener);
        FpmFrame frame = new FpmFrame();
        long nowNanos = 0;
        long sequence = 0;
        for (RecordedFrame recorded : frames) {
            nowNanos += (long) (recorded.wallTimeSeconds() * NANOS_PER_SECOND);
            recorded.fill(frame);
            frame.arrival(ENDPOINT, sequence++, nowNanos);
            planner.onFrame(0, frame);
        }
    }

    /** Learning depends on none of these. */
    private static PoolSettings settings() {
        return new PoolSettings(
                "replay",
                "",
                Role.AGGREGATED,
                new SloTarget(1, 0.1, 0.9),
                EngineLimits.defaults(),
                new ScalingSettings(1, 1, 1, 0, 0),
                LivenessSettings.defaults());
    }
}
