/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/**
 * The composition of one forward pass: what is prefilled and what is decoded in it.
 *
 * <p>A reusable, mutable holder, so that filling one per frame allocates nothing. Not threadsafe; never share one
 * between a writer and a reader. All values are finite and &ge; 0; callers validate before filling. Quantities are
 * {@code double} because what-if queries use expected, hence fractional, batches.
 */
public final class StepWorkload {
    private double prefillRequests;
    private double prefillTokens;
    private double prefillKvTokens;
    private double prefillLengthVariance;
    private double decodeRequests;
    private double decodeKvTokens;
    private double decodeKvVariance;

    /** Empties the batch. */
    public StepWorkload clear() {
        return prefill(0, 0, 0, 0).decode(0, 0, 0);
    }

    /**
     * Sets the prefill side.
     *
     * @param requests requests with a chunk in this step
     * @param tokens tokens newly computed in this step, summed over requests
     * @param kvTokens tokens already in the KV cache that those chunks attend to (prefix hits and earlier chunks), summed
     * @param lengthVariance population variance of the full prompt lengths, tokens squared; 0 when unknown
     */
    public StepWorkload prefill(double requests, double tokens, double kvTokens, double lengthVariance) {
        this.prefillRequests = requests;
        this.prefillTokens = tokens;
        this.prefillKvTokens = kvTokens;
        this.prefillLengthVariance = lengthVariance;
        return this;
    }

    /**
     * Sets the decode side.
     *
     * @param requests requests that decode in this step
     * @param kvTokens context lengths of those requests, tokens, summed
     * @param kvVariance population variance of the context lengths, tokens squared; 0 when unknown
     */
    public StepWorkload decode(double requests, double kvTokens, double kvVariance) {
        this.decodeRequests = requests;
        this.decodeKvTokens = kvTokens;
        this.decodeKvVariance = kvVariance;
        return this;
    }

    /** Copies all values of another workload into this one. */
    public StepWorkload set(StepWorkload other) {
        return prefill(other.prefillRequests, other.prefillTokens, other.prefillKvTokens, other.prefillLengthVariance)
                .decode(other.decodeRequests, other.decodeKvTokens, other.decodeKvVariance);
    }

    public double prefillRequests() {
        return prefillRequests;
    }

    public double prefillTokens() {
        return prefillTokens;
    }

    public double prefillKvTokens() {
        return prefillKvTokens;
    }

    public double prefillLengthVariance() {
        return prefillLengthVariance;
    }

    public double decodeRequests() {
        return decodeRequests;
    }

    public double decodeKvTokens() {
        return decodeKvTokens;
    }

    public double decodeKvVariance() {
        return decodeKvVariance;
    }

    /** Tokens computed in this step: prefill tokens plus one per decode request. */
    public double scheduledTokens() {
        return prefillTokens + decodeRequests;
    }

    /** True when the step computes nothing; such a step has no regime and is never learned from. */
    public boolean isEmpty() {
        return prefillTokens <= 0 && prefillRequests <= 0 && decodeRequests <= 0;
    }

    /** True if all values are finite and not negative. */
    public boolean isValid() {
        double sum = prefillRequests
                + prefillTokens
                + prefillKvTokens
                + prefillLengthVariance
                + decodeRequests
                + decodeKvTokens
                + decodeKvVariance;
        boolean negative = prefillRequests < 0
                || prefillTokens < 0
                || prefillKvTokens < 0
                || prefillLengthVariance < 0
                || decodeRequests < 0
                || decodeKvTokens < 0
                || decodeKvVariance < 0;
        return !negative && sum < Double.POSITIVE_INFINITY;
    }

    /** The regime of a step that is not {@linkplain #isEmpty() empty}. */
    public StepRegime regime() {
        boolean prefill = prefillTokens > 0 || prefillRequests > 0;
        if (!prefill) {
            return StepRegime.DECODE;
        }
        return decodeRequests > 0 ? StepRegime.MIXED : StepRegime.PREFILL;
    }

    @Override
    public String toString() {
        return "StepWorkload[prefill " + prefillRequests + " requests, " + prefillTokens + " tokens over "
                + prefillKvTokens + " cached; decode " + decodeRequests + " requests over " + decodeKvTokens
                + " tokens]";
    }
}
