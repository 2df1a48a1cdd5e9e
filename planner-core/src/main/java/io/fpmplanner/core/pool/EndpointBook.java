/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.RejectReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** Counts per address that messages come from. Not threadsafe. */
final class EndpointBook {
    /** Addresses beyond the cap are counted together under this name. */
    static final String OTHERS = "(others)";

    private final int maxEndpoints;
    private final Map<String, Counts> endpoints = new TreeMap<>();

    EndpointBook(int maxEndpoints) {
        this.maxEndpoints = maxEndpoints;
    }

    void rejected(String endpoint, RejectReason reason) {
        of(endpoint).rejected.merge(reason, 1L, Long::sum);
    }

    Map<String, Counts> all() {
        return endpoints;
    }

    /** The counts of an address, made if it is new and there is place. */
    Counts of(String endpoint) {
        Counts counts = endpoints.get(endpoint);
        if (counts == null) {
            String name = endpoints.size() < maxEndpoints ? endpoint : OTHERS;
            counts = endpoints.computeIfAbsent(name, key -> new Counts());
        }
        return counts;
    }

    /** What came from one address. */
    static final class Counts {
        private long accepted;
        private long refused;
        private int ranks;
        private LivenessState best = LivenessState.GONE;
        private final Map<RejectReason, Long> rejected = new EnumMap<>(RejectReason.class);

        void accepted() {
            accepted++;
        }

        void refused() {
            refused++;
        }

        void ranks(int change) {
            ranks += change;
        }

        int ranks() {
            return ranks;
        }

        /** Notes the state of a rank; the best of those noted since the last view is the address's own. */
        void note(LivenessState state) {
            best = state.compareTo(best) < 0 ? state : best;
        }

        EndpointView view(String endpoint) {
            LivenessState state = best;
            best = LivenessState.GONE;
            return new EndpointView(endpoint, state, accepted, refused, rejected);
        }
    }
}
