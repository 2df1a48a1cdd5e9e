/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.FleetView;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.ScalingSettings;

/**
 * How many replicas there are and should be there: orders that were given and not yet filled, workers that fell silent
 * though nobody asked them to leave. Not threadsafe.
 */
final class FleetTracker {
    /*
     * Without an orchestrator's word, our own last recommendation is taken as an order, and as unfilled for
     * ORDER_PATIENCE cold starts and a little; after that the order is given up, for a planner that waits for ever on a
     * stuck replica is frozen.
     * Silence is held against nobody whom we told to go: workers missing down to the recommended number departed as
     * expected. Below that they are missing, and the fleet is taken to be as large as before until they have been
     * missing for a cold start (a replacement would be here) and the stabilisation time. If the orchestrator still
     * counts them as ready then, they serve unheard, and are taken to be loaded like the others.
     */
    private static final double ORDER_PATIENCE = 1.5;
    private static final double ORDER_SLACK_SECONDS = 15;

    private final ScalingSettings scaling;
    private final double missingPatienceSeconds;
    private int desired = -1;
    private int reached;
    private long orderedNanos;
    private boolean missing;
    private long missingSinceNanos;
    private int accepted = Integer.MAX_VALUE;

    FleetTracker(PoolSettings settings) {
        this.scaling = settings.scaling();
        this.missingPatienceSeconds = settings.liveness().goneAfterSeconds()
                + scaling.coldStartSeconds()
                + scaling.scaleDownStabilisationSeconds();
    }

    /**
     * The fleet at one moment.
     *
     * @param ready replicas that serve, silent ones that were not told to go included
     * @param live of these, heard of
     * @param pending ordered and not yet ready
     * @param telemetryGap whether replicas that should be heard of are not
     * @param coverage ready replicas per live one where it was accepted that some are never heard of, else 1
     */
    record Fleet(int ready, int live, int pending, boolean telemetryGap, double coverage) {
        int current() {
            return ready + pending;
        }
    }

    Fleet update(FleetView fleet, long nowNanos) {
        int live = fleet.live();
        int floor = desired < 0 ? live : Math.min(desired, reached);
        if (fleet.suppliedReady().isPresent() && live >= fleet.suppliedReady().getAsInt()) {
            accepted = Integer.MAX_VALUE;
        }
        boolean gap = live < floor || (desired < 0 && fleet.stale() > 0) || suppliedGap(fleet);
        noteGap(gap, live, nowNanos);
        reached = desired < 0 ? Math.max(live, reached) : Math.max(live, Math.min(reached, desired));
        int heard = live + fleet.stale();
        int ready = fleet.suppliedReady().orElse(missing ? Math.max(live, Math.min(heard, floor)) : live);
        if (desired < 0 && fleet.suppliedReady().isEmpty()) {
            ready = heard;
        }
        boolean unheard = accepted < Integer.MAX_VALUE && fleet.suppliedReady().isPresent() && live > 0;
        double coverage = unheard ? Math.max(1, (double) ready / live) : 1;
        return new Fleet(ready, live, pending(fleet, ready, nowNanos), missing, coverage);
    }

    private boolean suppliedGap(FleetView fleet) {
        return fleet.suppliedReady().isPresent()
                && fleet.live() < Math.min(accepted, fleet.suppliedReady().getAsInt());
    }

    private void noteGap(boolean gap, int live, long nowNanos) {
        if (!gap) {
            missing = false;
        } else if (!missing) {
            missing = true;
            missingSinceNanos = nowNanos;
        } else if (live > 0 && (nowNanos - missingSinceNanos) / 1e9 > missingPatienceSeconds) {
            reached = live;
            accepted = live;
            missing = false;
        }
    }

    private int pending(FleetView fleet, int ready, long nowNanos) {
        if (fleet.suppliedPending().isPresent()) {
            return fleet.suppliedPending().getAsInt();
        }
        double patience = ORDER_PATIENCE * scaling.coldStartSeconds() + ORDER_SLACK_SECONDS;
        boolean waiting = desired > ready && (nowNanos - orderedNanos) / 1e9 <= patience;
        return waiting ? Math.max(0, desired - Math.max(ready, reached)) : 0;
    }

    /** Remembers what was recommended; a larger number than before is an order given now. */
    void recommended(int replicas, long nowNanos) {
        if (replicas > desired) {
            orderedNanos = nowNanos;
        }
        desired = replicas;
        reached = Math.min(reached, replicas);
    }

    /** The replicas recommended last, or the given number if nothing was. */
    int lastDesired(int otherwise) {
        return desired < 0 ? otherwise : desired;
    }
}
