/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

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
        double[] means = new double[workers.size()];
        int known = 0;
        for (List<SpeedEstimate> ranks : workers) {
            double mean = mean(ranks);
            if (!Double.isNaN(mean)) {
                means[known++] = mean;
            }
        }
        if (known < FEWEST_WORKERS) {
            workers.forEach(ranks -> ranks.forEach(SpeedEstimate::unjudge));
            return;
        }
        Arrays.sort(means, 0, known);
        double reference = means[(known - 1) / 2];
        workers.forEach(ranks -> ranks.forEach(rank -> rank.judge(reference)));
    }

    /** Of the ranks that are known; NaN if none is. */
    private static double mean(List<SpeedEstimate> ranks) {
        double sum = 0;
        int known = 0;
        for (SpeedEstimate rank : ranks) {
            if (rank.isKnown()) {
                sum += rank.mean();
                known++;
            }
        }
        return known == 0 ? Double.NaN : sum / known;
    }
}
