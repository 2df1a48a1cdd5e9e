/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Compares the workers of a pool with one another. */
final class SpeedComparison {
    /*
     * The yardstick is the lower median over workers of how far each is off the pool's model. So a drift of the whole
     * fleet, or an error of the model, moves the yardstick and nobody is blamed; and a few slow workers do not move
     * it. Workers and not ranks are counted: under data parallelism the ranks of a worker wait for the slowest of
     * them, so they are slow together. The lower of two medians, because hardware gets slow (throttling, a bad link, a
     * noisy neighbour) and not fast by accident: of two workers that differ, the slower one is named.
     */
    private static final int FEWEST_WORKERS = 2;

    private SpeedComparison() {}

    /** Judges all ranks, given as the groups that make the live workers. */
    static void judge(List<List<SpeedEstimate>> workers) {
        List<Double> means = new ArrayList<>();
        for (List<SpeedEstimate> ranks : workers) {
            ranks.stream()
                    .filter(SpeedEstimate::isKnown)
                    .mapToDouble(SpeedEstimate::mean)
                    .average()
                    .ifPresent(means::add);
        }
        if (means.size() < FEWEST_WORKERS) {
            workers.forEach(ranks -> ranks.forEach(SpeedEstimate::unjudge));
            return;
        }
        double[] sorted = means.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        double reference = sorted[(sorted.length - 1) / 2];
        workers.forEach(ranks -> ranks.forEach(rank -> rank.judge(reference)));
    }
}
