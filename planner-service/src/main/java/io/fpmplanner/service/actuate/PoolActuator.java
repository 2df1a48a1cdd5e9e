/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.service.actuate.Step.Hold;
import io.fpmplanner.service.actuate.Step.Reason;
import io.fpmplanner.service.config.ScaleTarget;
import io.fpmplanner.service.scaler.Signal;
import java.util.OptionalInt;

/**
 * Decides what to do about one target. Does nothing itself; time is an argument. Not threadsafe.
 *
 * <p>Acts on what scalers may act upon, and of that only on READY evidence; to grow, EXTRAPOLATING will do, since an
 * overload is where batches are larger than any seen before. Where somebody else sets other replicas than it did, it gives way
 * for a time that doubles from case to case: two scalers that overrule each other are worse than either.
 */
final class PoolActuator {
    private static final double LONGEST_BACK_OFF_SECONDS = 300;
    private static final double FIRST_CONTEST_SECONDS = 60;
    private static final double LONGEST_CONTEST_SECONDS = 1_800;
    /** A peace of this length after the last wait ends the contest. */
    private static final long PEACE_NANOS = 3_600_000_000_000L;

    private final ScaleTarget target;
    private final BackOff failures;
    private final BackOff contest = new BackOff(FIRST_CONTEST_SECONDS, LONGEST_CONTEST_SECONDS);
    private OptionalInt written = OptionalInt.empty();

    /**
     * @param target what is scaled
     * @param intervalSeconds first wait after a failure
     */
    PoolActuator(ScaleTarget target, double intervalSeconds) {
        this.target = target;
        this.failures = new BackOff(intervalSeconds, LONGEST_BACK_OFF_SECONDS);
    }

    ScaleTarget target() {
        return target;
    }

    /** Whether a failure is too recent to try again. */
    boolean backsOff(long nowNanos) {
        return failures.waits(nowNanos);
    }

    /** Failures in a row. */
    int failures() {
        return failures.troubles();
    }

    /** When it is tried again; only after a failure. */
    long retryAtNanos() {
        return failures.untilNanos();
    }

    /**
     * Takes in a reading, and says whether somebody else has set other replicas than were written last.
     */
    boolean noticeOthers(TargetReading reading, long nowNanos) {
        if (written.isPresent() && written.getAsInt() != reading.wanted()) {
            written = OptionalInt.empty();
            contest.trouble(nowNanos);
            return true;
        }
        if (contest.troubles() > 0 && nowNanos > contest.untilNanos() + PEACE_NANOS) {
            contest.over();
        }
        return false;
    }

    /** What to do, {@link #noticeOthers} having been told of the same reading. */
    Step next(PoolPlan plan, Signal desired, TargetReading reading, boolean leads, long nowNanos) {
        if (desired instanceof Signal.Unknown unknown) {
            return new Hold(Reason.NO_RECOMMENDATION, unknown.why());
        }
        Signal.Known known = (Signal.Known) desired;
        int wanted = (int) known.value();
        if (known.held()) {
            return new Hold(Reason.NO_RECOMMENDATION, "pool " + plan.id() + " is UNDECIDED and holds " + wanted);
        }
        if (wanted == reading.wanted()) {
            return new Hold(Reason.IN_AGREEMENT, target + " is to have " + wanted + " replicas, as recommended");
        }
        Evidence evidence = plan.recommendation().evidence();
        boolean sure = evidence == Evidence.READY || (evidence == Evidence.EXTRAPOLATING && wanted > reading.wanted());
        if (!sure) {
            return new Hold(
                    Reason.EVIDENCE,
                    "would set " + wanted + " replicas, but the evidence is " + evidence + ", not READY");
        }
        if (!leads) {
            return new Hold(
                    Reason.NOT_LEADER, "would set " + wanted + " replicas, but another planner holds the lease");
        }
        if (contest.waits(nowNanos)) {
            return new Hold(
                    Reason.CONTESTED,
                    "would set " + wanted + " replicas, but somebody else has set " + reading.wanted()
                            + "; is there an HPA or a ScaledObject too?");
        }
        return new Step.Scale(reading.wanted(), wanted);
    }

    /** The target was set. */
    void succeeded(int replicas) {
        written = OptionalInt.of(replicas);
        failures.over();
    }

    /** The target was read. */
    void read() {
        failures.over();
    }

    /** Reading or setting it failed. */
    void failed(long nowNanos) {
        failures.trouble(nowNanos);
    }
}
