/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.LatencySpread;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pools that were played under one question.
 *
 * @param one the pool, or the prefill pool of a pair
 * @param two the decode pool of a pair
 */
record PlayedFleet(PoolTwin one, @Nullable PoolTwin two) {
    boolean isStable() {
        return one.isStable() && (two == null || two.isStable());
    }

    /** The one of them that decodes. */
    @Nullable
    PoolTwin decoder() {
        return two != null ? two : one.decodes() ? one : null;
    }

    RequestLatencies latencies() {
        return new RequestLatencies(one, two, decoder());
    }

    /** Time between tokens at probabilities moved by so much; the last only by a tenth of it. */
    Optional<LatencySpread> itl(double moved) {
        PoolTwin decoder = decoder();
        return decoder == null ? Optional.empty() : decoder.gaps().spread(moved);
    }
}
