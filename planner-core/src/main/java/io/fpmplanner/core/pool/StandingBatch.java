/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;

/** The requests that decode on a rank, also while steps of prompts only make them stand still. Not threadsafe. */
final class StandingBatch {
    /*
     * An engine that computes prompts in steps of their own (PREFILL_FIRST) reports no decodes in those, though it has
     * as many as before. Any other reports all it has.
     */
    private final StepBudget budget;
    private double requests;
    private double kvTokens;
    private double kvVariance;

    StandingBatch(StepBudget budget) {
        this.budget = budget;
    }

    void clear() {
        requests = 0;
        kvTokens = 0;
        kvVariance = 0;
    }

    /** Takes a step with work in it. */
    void add(FpmFrame step) {
        double after = budget.decodesAfter(step);
        double kvAfter = budget.decodeKvTokensAfter(step);
        boolean stands = step.scheduledDecodeRequests() == 0
                && budget.role() == Role.AGGREGATED
                && budget.limits().schedulingRule() == SchedulingRule.PREFILL_FIRST;
        if (stands) {
            requests = Math.min(budget.limits().maxSequences(), requests + after);
            kvTokens += kvAfter;
        } else {
            requests = after;
            kvTokens = kvAfter;
            kvVariance = step.scheduledDecodeKvVariance();
        }
    }

    double requests() {
        return requests;
    }

    double kvTokens() {
        return kvTokens;
    }

    double kvVariance() {
        return kvVariance;
    }
}
