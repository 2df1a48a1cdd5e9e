/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.RegimeReadiness;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a request will see, or why that cannot be said. */
public sealed interface LatencyPrediction {
    /**
     * A prediction.
     *
     * @param ttft time to first token, waiting included. In a PREFILL pool: until the prefill is complete, without the
     *     transfer. In a DECODE pool: the wait for a place in the batch and the first step there, i.e. this pool's part
     *     of the TTFT
     * @param itl time between tokens; empty in a PREFILL pool, which generates none
     * @param sloShare share of requests that are predicted to meet the objectives
     * @param queueWaitSeconds mean part of the TTFT before the request's own first step
     * @param evidence the least of the step regimes that were used, STALE when the data is
     * @param dataAgeSeconds since the newest frame
     * @param extrapolation how far the largest of the steps used lies beyond the largest seen; 1 if it does not
     */
    record Predicted(
            LatencySpread ttft,
            Optional<LatencySpread> itl,
            SloShare sloShare,
            double queueWaitSeconds,
            Evidence evidence,
            double dataAgeSeconds,
            double extrapolation)
            implements LatencyPrediction {}

    /**
     * Share of requests predicted to meet each objective, 0 to 1.
     *
     * @param ttft of requests of the asked length that arrive now
     * @param itl of the requests that run now, by the mean time between their tokens; empty in a PREFILL pool
     */
    record SloShare(double ttft, OptionalDouble itl) {}

    /**
     * Too little is known.
     *
     * @param detail what is missing, a sentence
     * @param regimes how far each step regime is
     */
    record NotReady(String detail, List<RegimeReadiness> regimes) implements LatencyPrediction {
        public NotReady {
            regimes = List.copyOf(regimes);
        }
    }

    /** The query names a worker that the pool does not have. */
    record NoSuchWorker(String workerId) implements LatencyPrediction {}
}
