/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The policies that others publish, and bounds. Threadsafe. */
public final class Baselines {
    private static final Pattern STATIC = Pattern.compile("static-([1-9][0-9]{0,2})");

    private static final List<Contender> ALL = List.of(fixed(4));

    private Baselines() {}

    /** Those of the board, in its order. */
    public static List<Contender> all() {
        return ALL;
    }

    /** The policy of an id, which may also be {@code static-N} for any N from 1 to 999. */
    public static Optional<Contender> find(String id) {
        Matcher fixed = STATIC.matcher(id);
        if (fixed.matches()) {
            return Optional.of(fixed(Integer.parseInt(fixed.group(1))));
        }
        return ALL.stream().filter(contender -> contender.id().equals(id)).findFirst();
    }

    private static Contender fixed(int replicas) {
        return Contender.of(
                "static-" + replicas,
                replicas + " replicas of each pool for ever, ready from the beginning",
                (task, rehearsal) -> new StaticReplicas(task, replicas));
    }
}
