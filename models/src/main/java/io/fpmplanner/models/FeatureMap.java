/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** Turns the composition of a step into the columns of the fit. Immutable, threadsafe, allocates nothing. */
final class FeatureMap {
    /*
     * Which terms, and why (measured on recorded vLLM and TensorRT-LLM frames and on simulated streams):
     *
     *  - dense layers read all weights once per step and then grow with tokens: STEP, TOKENS_* (two knees, because
     *    small batches are bound by memory and the knee depends on the GPU) and LOG_TOKENS for what lies between;
     *  - attention of a chunk of S tokens over itself costs S^2/2 and over its cached prefix S*K. FPM has only sums
     *    over requests and the variance V of full prompt lengths, hence S^2/n + n*V, scaled down by the share computed now;
     *    that is exact for whole prompts of which nothing is cached and never more than S^2; and the balanced approximation S*K/n. Without them prefill
     *    errors double to triple on long prefixes. S^2/n alone is right for one prompt in a step and a third of the truth
     *    for many unequal ones, so what was learned at little load was 5 to 10 % too quick at much;
     *  - decode attention reads the KV cache: DECODE_KV_TOKENS; unequal contexts leave SMs idle while
     *    the longest is read, each request by its distance from it: DECODE_KV_SPREAD, requests times deviation. The deviation
     *    alone hardly changes from step to step, takes over the constant, and is wrong for any other batch;
     *  - steps with prefill run from a CUDA graph up to a size and eagerly beyond it (16 ms against 40 ms on a
     *    recorded MoE): EAGER_STEP;
     *  - decode batches are padded to the next captured graph size.
     *
     * Every column is >= 0 and of order one, so coefficients are comparable and one relative ridge suits all.
     */
    private static final double PER_OCTAVE = 1 / (8 * Math.log(2));

    private final GraphSizes graphSizes;
    private final double eagerTokens;

    FeatureMap(GraphSizes graphSizes, double eagerTokens) {
        this.graphSizes = graphSizes;
        this.eagerTokens = eagerTokens;
    }

    /** Writes the {@link Feature#COUNT} columns of a step that is not empty into {@code x}. */
    void fill(StepWorkload step, double[] x) {
        boolean hasPrefill = step.prefillTokens() > 0 || step.prefillRequests() > 0;
        double tokens = hasPrefill ? step.scheduledTokens() : graphSizes.padded(step.decodeRequests());
        x[Feature.STEP] = 1;
        x[Feature.TOKENS_TO_64] = Finite.min(tokens, 64) * (1.0 / 64);
        x[Feature.TOKENS_TO_256] = Finite.min(tokens, 256) * (1.0 / 256);
        x[Feature.TOKENS_FROM_256] = Finite.max(tokens - 256, 0) * 1e-3;
        x[Feature.DECODE_REQUESTS] = step.decodeRequests() * 1e-2;
        x[Feature.DECODE_KV_TOKENS] = step.decodeKvTokens() * 1e-5;
        x[Feature.DECODE_KV_SPREAD] = step.decodeRequests() * Math.sqrt(step.decodeKvVariance()) * 1e-5;
        x[Feature.LOG_TOKENS] = Math.log(1 + tokens) * PER_OCTAVE;
        if (hasPrefill) {
            fillPrefill(step, x);
        } else {
            x[Feature.PREFILL_STEP] = x[Feature.EAGER_STEP] = x[Feature.PREFILL_TOKENS] = x[Feature.PREFILL_KV_TOKENS] =
                    x[Feature.PREFILL_SELF_ATTENTION] = x[Feature.PREFILL_CROSS_ATTENTION] =
                            x[Feature.PREFILL_REQUESTS] = x[Feature.MIXED_DECODE_KV_TOKENS] = 0;
        }
    }

    private void fillPrefill(StepWorkload step, double[] x) {
        double requests = Finite.max(step.prefillRequests(), 1);
        double prefillTokens = step.prefillTokens();
        x[Feature.PREFILL_STEP] = 1;
        x[Feature.EAGER_STEP] = step.scheduledTokens() > eagerTokens ? 1 : 0;
        x[Feature.PREFILL_TOKENS] = prefillTokens * 1e-3;
        x[Feature.PREFILL_KV_TOKENS] = step.prefillKvTokens() * 1e-4;
        x[Feature.PREFILL_SELF_ATTENTION] = squaredTokens(step, requests) * 1e-7;
        x[Feature.PREFILL_CROSS_ATTENTION] = prefillTokens * step.prefillKvTokens() / requests * 1e-7;
        x[Feature.PREFILL_REQUESTS] = requests * 0.1;
        x[Feature.MIXED_DECODE_KV_TOKENS] = step.decodeKvTokens() * 1e-5;
    }

    private static double squaredTokens(StepWorkload step, double requests) {
        double tokens = step.prefillTokens();
        double most = tokens * tokens;
        if (requests <= 1) {
            return most;
        }
        double computedShare = tokens / Math.max(1, tokens + step.prefillKvTokens());
        double unequal = requests * step.prefillLengthVariance() * computedShare * computedShare;
        return Finite.min(most, most / requests + unequal);
    }
}
