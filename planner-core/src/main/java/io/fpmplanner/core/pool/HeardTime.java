/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * What span of time the frames of a tick tell of. Not threadsafe.
 *
 * <p>Frames of v1 bear no time of their own. When they are held up on their way, or the planner stands still, nothing is heard
 * for a while and then everything at once: silence is no absence of requests, and what comes after it did not arrive within one
 * tick. Frames that were lost meanwhile never come, and the time they were lost in stays unknown.
 */
final class HeardTime {
    /** Share of the time to staleness for which an idle pool may be silent between heartbeats, and nothing is missing. */
    private static final double BETWEEN_HEARTBEATS = 0.5;

    private static final double MOST_SILENCE_SECONDS = 120;
    /** Times as much engine time as usual in a tick, from which on it brings what was held up. */
    private static final double HELD_UP = 1.5;

    private static final double USUAL_WEIGHT = 0.05;
    private static final double LEAST_SHARE = 0.02;
    /** A tick so much longer than the one before, and than this in seconds: the planner stood still. */
    private static final double LONG_TICKS = 3;

    private static final double LONG_TICK_SECONDS = 2.5;

    private final double staleAfterSeconds;
    private boolean heartbeats;
    private long frames;
    private double wallSeconds;
    private double silentSeconds;
    private double tickSecondsBefore;
    /** Engine time of a rank for each second, as usual; NaN until known. */
    private double share = Double.NaN;

    /** @param staleAfterSeconds after which silence counts as such where no heartbeats come */
    HeardTime(double staleAfterSeconds) {
        this.staleAfterSeconds = staleAfterSeconds;
    }

    /** Takes note of a frame, with the time of its step or 0. */
    void hear(double seconds) {
        heartbeats |= seconds <= 0;
        frames++;
        wallSeconds += seconds;
    }

    /**
     * Ends a tick; returns the nanoseconds that it tells of, 0 if it tells of nothing: then what came of it belongs to the next
     * one that does.
     *
     * @param ranks live now
     */
    long close(long tickNanos, int ranks) {
        double tick = tickNanos / 1e9;
        double covered = ranks == 0 ? 0 : wallSeconds / ranks;
        boolean heard = frames > 0;
        frames = 0;
        wallSeconds = 0;
        double before = tickSecondsBefore;
        tickSecondsBefore = tick;
        if (!heard || tick <= 0) {
            silentSeconds = Math.min(MOST_SILENCE_SECONDS, silentSeconds + tick);
            return 0;
        }
        boolean stoodStill = before > 0 && tick > Math.max(LONG_TICK_SECONDS, LONG_TICKS * before);
        double known;
        if (stoodStill) {
            // Whatever of it is still on its way comes with the next ticks.
            silentSeconds = Math.max(0, tick - Math.max(before, covered / usualShare()));
            known = tick - silentSeconds;
        } else {
            known = told(tick, covered);
            silentSeconds = known == tick ? 0 : Math.max(0, silentSeconds - (known - tick));
        }
        note(covered / known, known);
        return Math.round(known * 1e9);
    }

    private double told(double tick, double covered) {
        // An idle engine without heartbeats cannot be told from one whose frames are held up.
        if (silentSeconds <= (heartbeats ? BETWEEN_HEARTBEATS * staleAfterSeconds : staleAfterSeconds)) {
            return tick + silentSeconds;
        }
        double meant = covered / usualShare();
        return meant > HELD_UP * tick ? Math.min(tick + silentSeconds, meant) : tick;
    }

    private double usualShare() {
        return Double.isNaN(share) ? 1 : Math.max(LEAST_SHARE, share);
    }

    private void note(double seen, double seconds) {
        double weight = Math.min(1, USUAL_WEIGHT * seconds);
        share = Double.isNaN(share) ? seen : share + weight * (seen - share);
    }
}
