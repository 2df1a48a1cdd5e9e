/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** The largest load learned from, and how far beyond it a query lies. Not threadsafe; copies are independent. */
final class SeenRange {
    /*
     * Ranges are kept over all regimes together, because the coefficients are shared: decode cost learned in mixed
     * steps serves decode steps. A load within SLACK of the largest seen is not called extrapolation, or every new
     * maximum would be.
     */
    private static final double SLACK = 1.25;

    private double prefillRequests;
    private double prefillTokens;
    private double prefillKvTokens;
    private double decodeRequests;
    private double decodeKvTokens;
    private double prefillLengthVariance;

    SeenRange copy() {
        SeenRange copy = new SeenRange();
        copy.prefillRequests = prefillRequests;
        copy.prefillTokens = prefillTokens;
        copy.prefillKvTokens = prefillKvTokens;
        copy.decodeRequests = decodeRequests;
        copy.decodeKvTokens = decodeKvTokens;
        copy.prefillLengthVariance = prefillLengthVariance;
        return copy;
    }

    void include(StepWorkload step) {
        prefillRequests = Finite.max(prefillRequests, step.prefillRequests());
        prefillTokens = Finite.max(prefillTokens, step.prefillTokens());
        prefillKvTokens = Finite.max(prefillKvTokens, step.prefillKvTokens());
        decodeRequests = Finite.max(decodeRequests, step.decodeRequests());
        decodeKvTokens = Finite.max(decodeKvTokens, step.decodeKvTokens());
        prefillLengthVariance = Finite.max(prefillLengthVariance, step.prefillLengthVariance());
    }

    void load(ModelReport.LargestSeen seen) {
        prefillRequests = seen.prefillRequests();
        prefillTokens = seen.prefillTokens();
        prefillKvTokens = seen.prefillKvTokens();
        decodeRequests = seen.decodeRequests();
        decodeKvTokens = seen.decodeKvTokens();
        prefillLengthVariance = seen.prefillLengthVariance();
    }

    void clear() {
        prefillRequests = prefillTokens = prefillKvTokens = 0;
        decodeRequests = decodeKvTokens = prefillLengthVariance = 0;
    }

    /** 1 inside what was seen; else the largest ratio of a load to the largest seen of its kind. */
    double excess(StepWorkload step) {
        double tokens = Finite.max(
                ratio(step.prefillTokens(), prefillTokens, 64), ratio(step.decodeRequests(), decodeRequests, 1));
        double kvTokens = Finite.max(
                ratio(step.prefillKvTokens(), prefillKvTokens, 1024),
                ratio(step.decodeKvTokens(), decodeKvTokens, 1024));
        double largest = Finite.max(Finite.max(tokens, kvTokens), ratio(step.prefillRequests(), prefillRequests, 1));
        return beyond(largest);
    }

    /** The same of a prompt that is computed in chunks: its length to the most tokens that a step and those before it had. */
    double contextExcess(double promptTokens) {
        return beyond(promptTokens / Math.max(1, prefillTokens + prefillKvTokens));
    }

    private static double beyond(double ratio) {
        return ratio <= SLACK ? 1 : ratio;
    }

    ModelReport.LargestSeen report() {
        return new ModelReport.LargestSeen(
                prefillRequests, prefillTokens, prefillKvTokens, decodeRequests, decodeKvTokens, prefillLengthVariance);
    }

    /** A load too small to matter is never beyond the range. */
    private static double ratio(double load, double seen, double negligible) {
        return load / Finite.max(seen, negligible);
    }
}
