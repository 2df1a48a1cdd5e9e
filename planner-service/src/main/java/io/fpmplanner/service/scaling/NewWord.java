/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.scaling;

import io.fpmplanner.core.planner.PlanView;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was said of pools and no plan holds yet, so that whoever says something reads it at once. For one event loop.
 *
 * @param <T> what is said; a withdrawal is the empty value
 */
final class NewWord<T> {
    private final Map<String, Said<T>> byPool = new HashMap<>();

    /**
     * What was said of a pool.
     *
     * @param what empty for a withdrawal
     * @param atNanos a moment after it was handed on to the planner, nanoseconds since the Unix epoch
     */
    record Said<W>(Optional<W> what, long atNanos) {}

    /** Keeps it. */
    void said(String pool, Said<T> said) {
        byPool.put(pool, said);
    }

    /** What was said and is not in that plan; empty if the plan is newer. */
    Optional<Said<T>> after(PlanView plan, String pool) {
        Said<T> said = byPool.get(pool);
        if (said != null && plan.nowNanos() > said.atNanos()) {
            byPool.remove(pool);
            return Optional.empty();
        }
        return Optional.ofNullable(said);
    }
}
