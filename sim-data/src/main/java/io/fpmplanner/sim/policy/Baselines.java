/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The policies that others publish, and bounds. Threadsafe. */
public final class Baselines {
    private static final Pattern STATIC = Pattern.compile("static-([1-9][0-9]{0,2})");

    /** Sees requests as they come and never errs; the bound of what can be had without foresight. */
    public static final String PROMPT = "prompt";

    /** The fewest GPUs for nearly all requests, with foresight. */
    public static final String ORACLE = "oracle";

    private static final List<Contender> ALL = List.of(
            fixed(4),
            Contender.of(
                    "reactive",
                    "one more while over 4 requests queue, one less while none does, every 15 s",
                    (task, rehearsal) -> new ReactiveThreshold()),
            Contender.of(
                    "keda-hpa",
                    "Kubernetes HPA on 5 queued requests a replica, 10 % tolerance, 300 s stabilisation, every 15 s",
                    (task, rehearsal) -> new QueueLengthHpa(task)),
            Contender.of(
                    "dynamo-easy",
                    "Dynamo's planner by thresholds on queue and KV use, its default",
                    (task, rehearsal) -> new DynamoEasyMode(task)),
            Contender.of(
                    "dynamo-load",
                    "Dynamo's planner by predicted TTFT and ITL, all engines up and all down",
                    (task, rehearsal) -> new DynamoLoadRule(task)),
            Contender.of(
                    "mpc",
                    "the published predictive controller with offline tables and an order book",
                    (task, rehearsal) -> new PredictiveMpc(task)),
            new Contender(
                    PROMPT,
                    "orders the right fleet the second that requests come: what nobody without foresight can save",
                    false,
                    PromptReference::of),
            new Contender(
                    ORACLE,
                    "knows the future: the fewest GPUs with 97 % of requests good",
                    false,
                    ClairvoyantOracle::forAttainment),
            new Contender(
                    "oracle-goodput",
                    "knows the future: the most good requests for the GPU time",
                    false,
                    ClairvoyantOracle::forGoodput));

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
