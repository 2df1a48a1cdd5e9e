/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

/**
 * Where the newest plan hangs. Threadsafe: one writer publishes, any number of readers take the current plan by one
 * volatile read and never wait.
 */
public final class PlanBoard {
    private volatile PlanView current;

    /** A board that shows the given plan until the first is published. */
    public PlanBoard(PlanView first) {
        this.current = first;
    }

    /** Replaces the plan on show. */
    public void publish(PlanView plan) {
        current = plan;
    }

    /** The newest plan. */
    public PlanView current() {
        return current;
    }
}
