/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

/** By what arrivals are told, which decides how their figures err. */
enum Sight {
    /** Each is counted as it comes, or somebody says how many came: as a Poisson process at least. */
    COUNTED(1),
    /**
     * By tokens of answers, each step seen: neighbouring ticks meet the same requests and err alike, so that they scatter
     * little about a level that wanders.
     */
    DECODED(1.5),
    /** By a sample of the steps. */
    SAMPLED(1);

    private final double dispersion;

    Sight(double dispersion) {
        this.dispersion = dispersion;
    }

    /**
     * Least variance of what is counted over its mean. Answers of public traces vary by 0.7 of their mean, and what so many of
     * them bring varies as a compound Poisson process does, by 1 + 0.7^2.
     */
    double dispersion() {
        return dispersion;
    }
}
