/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.LatencySpread;
import java.util.Optional;

/**
 * An answer and between what its percentiles lie, given how well step times and load are known: about nine in ten do.
 *
 * @param answer what is expected
 * @param ttft of the time to first token; empty if the answer has none
 * @param itl of the time between tokens; empty likewise
 */
public record WhatIfRange(WhatIfAnswer answer, Optional<Bounds> ttft, Optional<Bounds> itl) {
    /**
     * Bounds of a distribution, percentile by percentile.
     *
     * @param low with fewer requests and faster steps
     * @param high with more requests and slower steps; empty if queues may then grow without end
     */
    public record Bounds(LatencySpread low, Optional<LatencySpread> high) {
        /*
         * Each percentile is moved by a ratio of its own, of two plays of few requests: those of neighbours may cross, and that
         * of the answer may lie outside. Bounds are then as wide as it takes.
         */
        static Bounds around(LatencySpread expected, LatencySpread low, Optional<LatencySpread> high) {
            return new Bounds(expected.atMost(low), high.map(expected::atLeast));
        }
    }
}
