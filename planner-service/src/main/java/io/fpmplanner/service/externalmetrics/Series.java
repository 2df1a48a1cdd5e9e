/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.service.scaler.Signal;
import java.util.Map;
import java.util.TreeMap;

/**
 * One value of a metric.
 *
 * @param plan of its pool
 * @param percentile of a latency; empty for other metrics
 * @param signal the value, or why there is none
 */
record Series(PoolPlan plan, String percentile, Signal signal) {
    static final String POOL = "pool";
    static final String PERCENTILE = "percentile";

    /** Labels that selectors see, sorted: pool, role, model and percentile. */
    Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        labels.put(POOL, plan.id());
        labels.put("role", role());
        String model = LabelSyntax.valueOf(plan.pool().settings().model());
        if (!model.isEmpty()) {
            labels.put("model", model);
        }
        if (!percentile.isEmpty()) {
            labels.put(PERCENTILE, percentile);
        }
        return labels;
    }

    String role() {
        return plan.pool().settings().role().name().toLowerCase(java.util.Locale.ROOT);
    }
}
