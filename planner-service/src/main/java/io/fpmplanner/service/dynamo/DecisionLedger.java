/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.dynamo;

import java.util.Optional;

/**
 * Numbered decisions, one at a time, as Dynamo's virtual connector makes them: a new one only after the one before was
 * acknowledged, or was left for half an hour. Not threadsafe.
 */
final class DecisionLedger {
    /** Stands for no decision. */
    static final long NONE = -1;

    /** As Dynamo's SCALING_MAX_WAIT_TIME. */
    private static final long LONGEST_WAIT_NANOS = 1_800_000_000_000L;

    private final long first;
    private Optional<Decision> current = Optional.empty();
    private long completed = NONE;
    private long decidedAtNanos;

    /**
     * An empty ledger.
     *
     * @param first number of the first decision, &ge; 0. Dynamo's clients pass over numbers that they have seen, so it must
     *     lie above those of any ledger before this one.
     */
    DecisionLedger(long first) {
        this.first = first;
    }

    /**
     * What was decided.
     *
     * @param id grows by one from decision to decision
     * @param prefill workers that prefill
     * @param decode workers that decode
     */
    record Decision(long id, int prefill, int decode) {}

    /** Takes in what is wanted now; becomes a decision if it differs and its time has come. */
    void offer(int prefill, int decode, long nowNanos) {
        if (current.isPresent()) {
            Decision last = current.get();
            boolean same = last.prefill() == prefill && last.decode() == decode;
            boolean open = completed < last.id() && nowNanos - decidedAtNanos < LONGEST_WAIT_NANOS;
            if (same || open) {
                return;
            }
        }
        current = Optional.of(new Decision(current.map(Decision::id).orElse(first - 1) + 1, prefill, decode));
        decidedAtNanos = nowNanos;
    }

    /** Acknowledges a decision and those before it; false if there was none of that number. */
    boolean complete(long id) {
        if (id < 0 || current.isEmpty() || id > current.get().id()) {
            return false;
        }
        completed = Math.max(completed, id);
        return true;
    }

    /** The newest decision; empty before the first. */
    Optional<Decision> current() {
        return current;
    }

    /** Number of the newest decision that was acknowledged; {@link #NONE} for none. */
    long completed() {
        return completed;
    }
}
