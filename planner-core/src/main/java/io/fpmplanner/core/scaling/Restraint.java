/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.HpaSteps;
import io.fpmplanner.core.pool.ScalingPace;
import io.fpmplanner.core.pool.ScalingSettings;
import java.util.OptionalInt;

/** Keeps changes of one pool within its pace: sizes of steps, times between them, and what an autoscaler follows. Not threadsafe. */
final class Restraint {
    /* An autoscaler compares ratios of decimal numbers; a change that is just at its tolerance is ignored. */
    private static final double ROUNDING = 1e-9;

    private final ScalingSettings scaling;
    private final ScalingPace pace;
    private long grewNanos;
    private long changedNanos;
    private boolean grew;
    private boolean changed;
    private int last = -1;

    Restraint(ScalingSettings scaling) {
        this.scaling = scaling;
        this.pace = scaling.pace();
    }

    /**
     * What may be recommended in the place of a verdict.
     *
     * @param from replicas ordered so far
     */
    Verdict apply(Verdict verdict, int from, long nowNanos) {
        if (verdict.desired().isEmpty() || verdict.status() == ScalingStatus.UNDECIDED) {
            return verdict;
        }
        int wanted = verdict.desired().getAsInt();
        if (wanted == from) {
            return verdict;
        }
        if (isCooling(wanted > from, nowNanos)) {
            // An order that is being carried out stands.
            int kept = last >= 0 && Integer.signum(last - from) == Integer.signum(wanted - from)
                    ? nearer(from, last, wanted)
                    : from;
            return kept == wanted ? verdict : verdict.limited(bounded(kept), LimitingFactor.COOLDOWN);
        }
        int reach = wanted > from ? pace.mostUp() : pace.mostDown();
        int stepped = Math.abs(wanted - from) <= reach ? wanted : from + Integer.signum(wanted - from) * reach;
        Verdict limited = stepped == wanted ? verdict : verdict.limited(stepped, LimitingFactor.STEP_LIMIT);
        return followed(limited, stepped, from);
    }

    private static int nearer(int from, int a, int b) {
        return Math.abs(a - from) <= Math.abs(b - from) ? a : b;
    }

    private boolean isCooling(boolean up, long nowNanos) {
        return up
                ? grew && (nowNanos - grewNanos) / 1e9 < pace.upCooldownSeconds()
                : changed && (nowNanos - changedNanos) / 1e9 < pace.downCooldownSeconds();
    }

    private Verdict followed(Verdict verdict, int wanted, int from) {
        if (from <= 0 || isFollowed(wanted, from)) {
            return verdict;
        }
        if (pace.hpaSteps() == HpaSteps.SAY) {
            return verdict.limitedBy().isPresent() ? verdict : verdict.limited(wanted, LimitingFactor.HPA_TOLERANCE);
        }
        if (wanted < from) {
            return verdict.limited(from, LimitingFactor.HPA_TOLERANCE);
        }
        int larger = wanted;
        while (!isFollowed(larger, from)) {
            larger++;
        }
        return bounded(larger) == wanted ? verdict : verdict.limited(bounded(larger), LimitingFactor.HPA_TOLERANCE);
    }

    private boolean isFollowed(int wanted, int from) {
        return Math.abs((double) wanted / from - 1) > pace.hpaTolerance() + ROUNDING;
    }

    private int bounded(int replicas) {
        return Math.max(scaling.minReplicas(), Math.min(scaling.maxReplicas(), replicas));
    }

    /** Takes note of what is recommended in the end. */
    void recommended(OptionalInt desired, long nowNanos) {
        if (desired.isEmpty()) {
            return;
        }
        int now = desired.getAsInt();
        if (last >= 0 && now != last) {
            changedNanos = nowNanos;
            changed = true;
            if (now > last) {
                grewNanos = nowNanos;
                grew = true;
            }
        }
        last = now;
    }
}
