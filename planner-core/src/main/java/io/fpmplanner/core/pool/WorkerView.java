/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.List;

/**
 * One replica: all ranks of one engine.
 *
 * @param workerId identity as its frames give it, may be empty and may be shared by workers on other hosts
 * @param state the worst of its ranks that are not gone; gone when all are. A silent rank that a
 *     corrupt rank number may have made, heard once or never at work, does not count beside a live one
 * @param ranks ordered by data-parallel rank
 * @param speed its step times relative to its peers', from its ranks that are not gone
 */
public record WorkerView(String workerId, LivenessState state, List<RankView> ranks, Speed speed) {
    public WorkerView {
        ranks = List.copyOf(ranks);
    }
}
