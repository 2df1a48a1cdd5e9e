/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.EngineTwin;
import io.fpmplanner.core.latency.StepSampler;
import io.fpmplanner.core.latency.TwinListener;
import io.fpmplanner.models.StepRegime;

/** What one rank completes when requests never run out, by playing it. One use, one thread. */
final class SaturatedRun implements TwinListener {
    /*
     * The rank begins as full as it gets, all requests wait at time 0, and the rate is that at which first tokens come once
     * WARM_UP of them have come. Unlike the formula this knows mixed lengths, cut prompts and preemptions. Lengths are
     * stratified, so the mean work of a request is exact; who was inside before and who is inside at the end leave about the
     * square root of the batch in requests of doubt.
     */
    private static final double WARM_UP = 0.15;

    private final TwinPool pool;
    private final WhatIf question;
    private final RequestSample sample;
    private final boolean[] seen;
    private int count;
    private int warm;
    private double fromSeconds;
    private double lastSeconds;

    SaturatedRun(TwinPool pool, WhatIf question, RequestSample sample) {
        this.pool = pool;
        this.question = question;
        this.sample = sample;
        this.seen = new boolean[sample.count];
    }

    /** Requests per second of one rank; those of a DECODE pool that have nothing to do there count too. */
    double requestsPerSecond() {
        StepSampler steps = new StepSampler(pool.model(), pool.gapSeconds(), sample.seed);
        EngineTwin rank = new EngineTwin(pool.role(), pool.limits(), question.transferSeconds(), steps, this);
        PoolRequests requests = new PoolRequests(pool, sample, question.workload());
        SaturatedCapacity formula = new SaturatedCapacity(pool, steps, question.workload());
        requests.fill(new EngineTwin[] {rank}, formula.largestBatch(), steps);
        int submitted = 0;
        for (int i = 0; i < sample.count; i++) {
            submitted += requests.submit(rank, i) ? 1 : 0;
        }
        if (submitted == 0) {
            return Double.POSITIVE_INFINITY;
        }
        warm = (int) (WARM_UP * submitted);
        while (count < submitted && rank.nextEventSeconds() < Double.POSITIVE_INFINITY) {
            rank.advanceTo(rank.nextEventSeconds());
        }
        return (count - warm) / (lastSeconds - fromSeconds) * sample.count / submitted;
    }

    @Override
    public void onFirstToken(int request, double atSeconds) {
        if (request >= 0 && !seen[request]) {
            seen[request] = true;
            count++;
            fromSeconds = count <= warm ? atSeconds : fromSeconds;
            lastSeconds = atSeconds;
        }
    }

    @Override
    public void onFinished(int request, double atSeconds) {}

    @Override
    public void onGap(double seconds, double tokens, StepRegime regime) {}
}
