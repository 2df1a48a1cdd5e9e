/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

/** One request of the toy fleet and what it saw. Times in virtual seconds. */
final class ToyRequest {
    final double arrival;
    final int promptTokens;
    final int outputTokens;
    int prefilled;
    int generated;
    double firstToken = -1;
    double lastToken = -1;

    ToyRequest(double arrival, int promptTokens, int outputTokens) {
        this.arrival = arrival;
        this.promptTokens = promptTokens;
        this.outputTokens = outputTokens;
    }

    double ttft() {
        return firstToken - arrival;
    }

    int context() {
        return prefilled + generated;
    }
}
