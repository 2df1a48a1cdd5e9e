/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import java.util.Arrays;
import java.util.Optional;

/** How a model is served. */
public enum Topology {
    /** Each engine computes prompts and answers. */
    AGGREGATED("agg"),
    /** Prefill engines compute prompts, decode engines answers. */
    DISAGGREGATED("disagg");

    private final String word;

    Topology(String word) {
        this.word = word;
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
