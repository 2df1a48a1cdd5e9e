/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import io.fpmplanner.core.latency.StepSampler;
import io.fpmplanner.core.twin.TwinPool;
import io.fpmplanner.models.StepRegime;
import io.fpmplanner.sim.engine.StepBatch;
import io.fpmplanner.sim.engine.StepTimeLaw;

/** A simulated engine whose steps take as long as was learned: what differs from the twin then is not the step law. */
final class LearnedLaw implements StepTimeLaw {
    private final StepSampler prefill;
    private final StepSampler decode;

    /** Of one pool, or of a prefill pool and its decode pool. */
    LearnedLaw(TwinPool prefill, TwinPool decode, long seed) {
        this.prefill = new StepSampler(prefill.model(), prefill.gapSeconds(), seed);
        this.decode = new StepSampler(decode.model(), decode.gapSeconds(), seed + 1);
    }

    @Override
    public double seconds(StepBatch batch) {
        double requests = batch.decodeRequests();
        double context = (double) batch.decodeContextTokens();
        double variance = variance(batch);
        if (batch.prefillTokens() == 0) {
            return decode.decodeSeconds(requests, context, variance) * decode.randomFactor(StepRegime.DECODE);
        }
        return prefill.prefill(
                                batch.prefillRequests(),
                                batch.prefillTokens(),
                                (double) batch.prefillContextTokens(),
                                promptVariance(batch))
                        .withPrefillSeconds(requests, context, variance)
                * prefill.randomFactor(requests > 0 ? StepRegime.MIXED : StepRegime.PREFILL);
    }

    private static double promptVariance(StepBatch batch) {
        double count = 0;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isPrefill(i)) {
                double length = batch.promptTokens(i);
                count++;
                sum += length;
                squares += length * length;
            }
        }
        return count < 2 ? 0 : Math.max(0, squares / count - sum / count * (sum / count));
    }

    private static double variance(StepBatch batch) {
        double count = 0;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < batch.size(); i++) {
            if (!batch.isPrefill(i)) {
                double context = batch.contextTokens(i);
                count++;
                sum += context;
                squares += context * context;
            }
        }
        return count < 2 ? 0 : Math.max(0, squares / count - sum / count * (sum / count));
    }
}
