/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.scaling.ScalingPolicy.Proposal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Where one model is served on several types of GPU, grows the variant that serves a request for the least money. Stateless. */
final class VariantChooser {
    /*
     * Whoever routes requests spreads them over the variants by what these can take, so replicas of one may stand in for
     * those of another. Pools are variants if they serve the same model in the same role and all have a price.
     */
    private final List<List<Integer>> groups;
    private final List<PoolSettings> pools;

    VariantChooser(List<PoolSettings> pools) {
        this.pools = List.copyOf(pools);
        Map<String, List<Integer>> byModel = new LinkedHashMap<>();
        for (int i = 0; i < pools.size(); i++) {
            PoolSettings pool = pools.get(i);
            if (!pool.model().isEmpty() && pool.scaling().cost().perHour().isPresent()) {
                byModel.computeIfAbsent(pool.role() + "|" + pool.model(), any -> new ArrayList<>())
                        .add(i);
            }
        }
        this.groups =
                byModel.values().stream().filter(group -> group.size() > 1).toList();
    }

    void shift(Proposal[] proposals) {
        for (List<Integer> group : groups) {
            boolean known = group.stream().allMatch(i -> proposals[i].replicaRate() > 0);
            if (known) {
                List<Integer> cheapestFirst = group.stream()
                        .sorted(Comparator.comparingDouble(i -> costPerRequest(i, proposals[i])))
                        .toList();
                // The dearest first: what it would need is offered to each cheaper one in turn.
                for (int k = cheapestFirst.size() - 1; k > 0; k--) {
                    offer(cheapestFirst.get(k), cheapestFirst.subList(0, k), proposals);
                }
            }
        }
    }

    private double costPerRequest(int pool, Proposal proposal) {
        return price(pool) / proposal.replicaRate();
    }

    private double price(int pool) {
        return pools.get(pool).scaling().cost().perHour().orElseThrow();
    }

    private void offer(int dear, List<Integer> cheaper, Proposal[] proposals) {
        for (int cheap : cheaper) {
            int lacking = lacking(proposals[dear]);
            if (lacking <= 0) {
                return;
            }
            Proposal takes = proposals[cheap];
            int has = takes.verdict().desired().orElse(takes.ordered());
            int room = pools.get(cheap).scaling().maxReplicas() - has;
            double rate = proposals[dear].replicaRate() / takes.replicaRate();
            int added = Math.min(room, (int) Math.ceil(lacking * rate - 1e-9));
            // What the cheap one is given serves so many of the dear one's; the rest it grows by itself.
            int spared = Math.min(lacking, (int) Math.floor(added / rate + 1e-9));
            // Whole replicas may cost more than they spare.
            boolean saves = added * price(cheap) < spared * price(dear);
            if (spared > 0 && saves && isDecided(takes)) {
                Verdict grown = new Verdict(
                        ScalingStatus.UNDER_PROVISIONED,
                        OptionalInt.of(has + added),
                        takes.verdict().status() == ScalingStatus.UNDER_PROVISIONED
                                ? takes.verdict().reason()
                                : ReasonCode.VARIANT_SHIFT,
                        takes.verdict().limitedBy());
                proposals[cheap] = takes.with(grown);
                int left = proposals[dear].verdict().desired().orElseThrow() - spared;
                proposals[dear] =
                        proposals[dear].with(proposals[dear].verdict().limited(left, LimitingFactor.CHEAPER_VARIANT));
            }
        }
    }

    private static boolean isDecided(Proposal proposal) {
        return proposal.verdict().status() != ScalingStatus.UNDECIDED
                && proposal.verdict().desired().isPresent();
    }

    /** Replicas that a pool asks for besides those it has. */
    private static int lacking(Proposal proposal) {
        return isDecided(proposal) ? proposal.verdict().desired().getAsInt() - proposal.ordered() : 0;
    }
}
