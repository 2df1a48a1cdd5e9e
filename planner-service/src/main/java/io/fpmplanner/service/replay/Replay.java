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
import io.fpmplanner.service.recording.Recording;
import io.fpmplanner.service.recording.RecordingException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/** Feeds a recording to a planner as if its frames came off the wire, and scores the planner's predictions on the way. */
final class Replay {
    private static final String ENDPOINT = "recording://";
    private static final int TIMED_PASSES = 5;
    private static final int MOST_TIMED_FRAMES = 20_000;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICROSECOND = 1e3;

    private final LongSupplier nanoTime;
    private final Pace pace;

    /** Sees what is replayed, frame by frame. */
    interface Watcher {
        /** Called when it is the frame's turn, before it is learned from. */
        void replaying(FpmFrame frame, Recording recording);
    }

    /**
     * {@code nanoTime} measures what a frame costs; it has no part in the result otherwise. A pace serves one recording.
     */
    Replay(LongSupplier nanoTime, Pace pace) {
        this.nanoTime = nanoTime;
        this.pace = pace;
    }

    /**
     * Scores the recording in one pass and times its first frames in further ones, so that scoring is not counted as cost.
     * The fastest pass counts: the others met an interpreter that was still compiling, or a busy machine.
     *
     * @throws InterruptedException if interrupted while it is not yet the next frame's turn
     */
    RecordingScore score(String file, Recording recording, Watcher watcher)
            throws RecordingException, InterruptedException {
        StepScorer scorer = new StepScorer();
        ItlScorer itl = new ItlScorer(List.of(settings(Role.AGGREGATED), settings(Role.DECODE)));
        List<FpmFrame> first = new ArrayList<>();
        Planner planner = planner(scorer);
        FpmFrame frame = new FpmFrame();
        Untimed untimed = new Untimed();
        while (recording.next(frame)) {
            if (!recording.isTimed()) {
                untimed.stamp(frame);
            }
            pace.await(frame.receivedNanos());
            watcher.replaying(frame, recording);
            if (first.size() < MOST_TIMED_FRAMES) {
                first.add(new FpmFrame().set(frame));
            }
            planner.onFrame(0, frame);
            itl.onFrame(frame);
        }
        return new RecordingScore(
                file,
                scorer.total(),
                scorer.regimes(),
                itl.score(),
                first.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(micros(first)));
    }

    private double micros(List<FpmFrame> frames) {
        double micros = Double.POSITIVE_INFINITY;
        for (int pass = 0; pass < TIMED_PASSES; pass++) {
            Planner planner = planner(StepListener.NONE);
            long start = nanoTime.getAsLong();
            for (FpmFrame frame : frames) {
                planner.onFrame(0, frame);
            }
            micros = Math.min(micros, (nanoTime.getAsLong() - start) / NANOS_PER_MICROSECOND);
        }
        return micros / frames.size();
    }

    /** Where a recording does not say when its frames came: one after the other, in the time they took. */
    private static final class Untimed {
        private long nowNanos;
        private long sequence;

        void stamp(FpmFrame frame) {
            nowNanos += (long) (frame.wallTimeSeconds() * NANOS_PER_SECOND);
            frame.arrival(ENDPOINT, sequence++, nowNanos);
        }
    }

    private static Planner planner(StepListener listener) {
        return new Planner(List.of(settings(Role.AGGREGATED)), listener);
    }

    /** Learning depends on none of these. */
    private static PoolSettings settings(Role role) {
        return new PoolSettings(
                "replay",
                "",
                role,
                new SloTarget(1, 0.1, 0.9),
                EngineLimits.defaults(),
                new ScalingSettings(1, 1, 1, 0, 0),
                LivenessSettings.defaults());
    }
}
