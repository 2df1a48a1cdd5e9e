/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import io.fpmplanner.service.config.ScaleTarget;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where the acting planner shows what it does. Threadsafe: one thread replaces what hangs there, any may read it.
 */
public final class ActuationBoard {
    private volatile View view = new View(Optional.empty(), List.of());

    /**
     * What is done.
     *
     * @param leads whether this planner is the one that acts; empty without election
     * @param pools those with targets
     */
    record View(Optional<Boolean> leads, List<PoolState> pools) {
        View {
            pools = List.copyOf(pools);
        }
    }

    /**
     * What is done about one target.
     *
     * @param pool its pool
     * @param target what is scaled
     * @param wanted replicas it is to have; empty before it was read
     * @param ready replicas that serve; empty when it does not tell
     * @param readAtNanos when it was read last; 0 for never
     * @param activity what is done now: {@code SCALED}, {@code DRY_RUN} or why nothing is
     * @param message the same as a sentence
     * @param failures in a row
     * @param retryAtNanos when it is tried again; 0 without failures
     * @param change the last one; empty before the first
     */
    record PoolState(
            String pool,
            ScaleTarget target,
            OptionalInt wanted,
            OptionalInt ready,
            long readAtNanos,
            String activity,
            String message,
            int failures,
            long retryAtNanos,
            Optional<Change> change) {}

    /**
     * One change of a target, made or, in a dry run, told.
     *
     * @param atNanos when
     * @param from replicas it was to have
     * @param to replicas it is to have since
     * @param dryRun whether it was told only
     * @param reason of the recommendation
     */
    record Change(long atNanos, int from, int to, boolean dryRun, String reason) {}

    /** A board on which nothing hangs. */
    public ActuationBoard() {}

    View current() {
        return view;
    }

    void show(View newest) {
        view = newest;
    }
}
