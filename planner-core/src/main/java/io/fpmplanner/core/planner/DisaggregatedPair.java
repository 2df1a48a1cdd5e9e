/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A prefill pool and the decode pool that goes on with its requests, by index.
 *
 * @param prefill index of the prefill pool
 * @param decode index of the decode pool
 */
record DisaggregatedPair(int prefill, int decode) {
    /** The pairs among some pools: where a model has one prefill pool and one decode pool, they belong together. */
    static List<DisaggregatedPair> among(List<PoolSettings> pools) {
        Set<String> models = new LinkedHashSet<>();
        pools.forEach(pool -> models.add(pool.model()));
        List<DisaggregatedPair> pairs = new ArrayList<>();
        for (String model : models) {
            Optional<Integer> prefill = only(pools, model, Role.PREFILL);
            Optional<Integer> decode = only(pools, model, Role.DECODE);
            if (prefill.isPresent() && decode.isPresent()) {
                pairs.add(new DisaggregatedPair(prefill.get(), decode.get()));
            }
        }
        return pairs;
    }

    private static Optional<Integer> only(List<PoolSettings> pools, String model, Role role) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < pools.size(); i++) {
            if (pools.get(i).role() == role && pools.get(i).model().equals(model)) {
                found.add(i);
            }
        }
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }
}
