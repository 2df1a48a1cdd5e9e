/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.SeenLatency;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Scores the predictions of one pool as time passes. One writer, not threadsafe. */
public final class Calibration {
    /*
     * Frames tell the time between tokens of everyone that decodes, and of the queue when whoever stood last in it began.
     * They do not tell a TTFT, which has to be posted. An observation is scored against what was predicted for requests of
     * typical length at the tick before it came. Clocks of different machines may be apart by CLOCK_SKEW.
     *
     * A time between tokens is scored by its share within the predicted percentiles, a mean over a second or over a request by
     * the predicted mean, for times between tokens have two peaks where prompts are computed beside.
     */
    private static final int REMEMBERED_TICKS = 900;

    private static final long CLOCK_SKEW_NANOS = 5_000_000_000L;

    /** What was predicted at a tick. */
    private record Said(long nanos, LatencyPrediction.Predicted predicted) {}

    private final Deque<Said> said = new ArrayDeque<>();
    private PredictionScore itlFrames = PredictionScore.NONE;
    private PredictionScore queueWait = PredictionScore.NONE;
    private PredictionScore ttftPosted = PredictionScore.NONE;
    private PredictionScore itlPosted = PredictionScore.NONE;
    private long refused;

    /** Takes a view, in which frames tell what came of the prediction of the tick before, and the new prediction. */
    public void tick(PoolView view, LatencyPrediction prediction) {
        Said before = said.peekLast();
        SeenLatency seen = view.load().seen();
        if (before != null && before.predicted.itl().isPresent() && seen.tokens() > 0) {
            itlFrames = itlFrames.withShares(
                    before.predicted.itl().get().meanSeconds(),
                    seen.meanItlSeconds(),
                    seen.within().p50(),
                    seen.within().p90(),
                    seen.within().p99());
        }
        for (SeenLatency.Wait wait : seen.waits()) {
            Said then = at(wait.sinceNanos());
            if (then != null) {
                queueWait = queueWait.with(then.predicted.queueWaitSeconds(), wait.seconds());
            }
        }
        if (prediction instanceof LatencyPrediction.Predicted predicted) {
            said.addLast(new Said(view.nowNanos(), predicted));
            if (said.size() > REMEMBERED_TICKS) {
                said.removeFirst();
            }
        }
    }

    /** Scores what was measured, unless it lies before what is remembered or after now. */
    public ObservationCount observe(List<LatencyObservation> observations, long nowNanos) {
        int unpredicted = 0;
        int inFuture = 0;
        for (LatencyObservation observation : observations) {
            Said then = at(observation.arrivalNanos());
            if (observation.knownNanos() > nowNanos + CLOCK_SKEW_NANOS) {
                inFuture++;
            } else if (then == null) {
                unpredicted++;
            } else {
                score(observation, then.predicted);
            }
        }
        refused += unpredicted + inFuture;
        return new ObservationCount(observations.size() - unpredicted - inFuture, unpredicted, inFuture);
    }

    private void score(LatencyObservation observation, LatencyPrediction.Predicted then) {
        observation.ttftSeconds().ifPresent(seconds -> ttftPosted = ttftPosted.with(then.ttft(), seconds));
        if (then.itl().isPresent()) {
            double mean = then.itl().get().meanSeconds();
            observation.itlSeconds().ifPresent(seconds -> itlPosted = itlPosted.with(mean, seconds));
        }
    }

    /** What held at that moment; null before the oldest that is remembered. */
    private @Nullable Said at(long nanos) {
        for (Iterator<Said> newestFirst = said.descendingIterator(); newestFirst.hasNext(); ) {
            Said candidate = newestFirst.next();
            if (candidate.nanos <= nanos) {
                return candidate;
            }
        }
        return null;
    }

    /** The scores now. */
    public CalibrationView view() {
        return new CalibrationView(known(itlFrames), known(queueWait), known(ttftPosted), known(itlPosted), refused);
    }

    private static Optional<PredictionScore> known(PredictionScore score) {
        return score.count() == 0 ? Optional.empty() : Optional.of(score);
    }
}
