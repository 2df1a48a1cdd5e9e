/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How a model is served. */
public enum Topology {
    /** Each engine computes prompts and answers. */
    AGGREGATED("agg", "agg"),
    /** Prefill engines compute prompts, decode engines answers. */
    DISAGGREGATED("disagg", "prefill", "decode");

    private final String word;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; its type does not say so.
    private final List<String> poolIds;

    Topology(String word, String... poolIds) {
        this.word = word;
        this.poolIds = List.of(poolIds);
    }

    /** The pools of a fleet of this kind. */
    public List<String> poolIds() {
        return poolIds;
    }

    /** As it stands in scenario files, boards and JSON. */
    public String word() {
        return word;
    }

    /** The topology of that word. */
    static Optional<Topology> of(String word) {
        return Arrays.stream(values())
                .filter(topology -> topology.word.equals(word))
                .findFirst();
    }
}
