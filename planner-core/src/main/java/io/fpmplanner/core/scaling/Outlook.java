/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is expected of requests and GPUs over the next while at several sizes, each ordered now. Immutable.
 *
 * @param horizonSeconds how far it looks: a cold start and some time of service
 * @param coldStartSeconds when a replica ordered now is expected to serve
 * @param requestsPerSecond arrivals expected at the end of a cold start
 * @param current the replicas that are ordered so far, pending ones included
 * @param desired the recommended ones
 * @param runnerUp the best other size that was weighed; empty if none was
 * @param whyNot why that one lost, as a sentence; empty without one
 */
public record Outlook(
        double horizonSeconds,
        double coldStartSeconds,
        double requestsPerSecond,
        Option current,
        Option desired,
        Optional<Option> runnerUp,
        String whyNot) {
    /**
     * One size.
     *
     * @param replicas ordered
     * @param attainment share of the requests of the horizon that meet both objectives; empty if none are expected
     * @param ttftSeconds their mean time to first token, waiting included; empty in a DECODE pool and without requests
     * @param itlSeconds their mean time between tokens; empty in a PREFILL pool and without requests
     * @param replicaSeconds replicas times seconds, starting and draining ones included
     */
    public record Option(
            int replicas,
            OptionalDouble attainment,
            OptionalDouble ttftSeconds,
            OptionalDouble itlSeconds,
            double replicaSeconds) {}
}
