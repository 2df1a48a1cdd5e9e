/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.compare;

/**
 * A request as a real engine served it. Immutable; times in seconds since the first arrival of its run.
 *
 * @param inputTokens prompt length, &ge; 1
 * @param outputTokens tokens generated, &ge; 1
 * @param arrivalSeconds when it reached the server
 * @param firstTokenSeconds when its first token was there
 * @param lastTokenSeconds when its last token was there
 */
record ServedRequest(
        int inputTokens, int outputTokens, double arrivalSeconds, double firstTokenSeconds, double lastTokenSeconds) {
    double ttftSeconds() {
        return firstTokenSeconds - arrivalSeconds;
    }

    /** (last - first token) / (output tokens - 1); NaN for one token. */
    double tpotSeconds() {
        return (lastTokenSeconds - firstTokenSeconds) / (outputTokens - 1);
    }
}
