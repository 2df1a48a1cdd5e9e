/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.config.WorkerPattern;
import io.fpmplanner.service.source.WorkerLists;
import java.util.List;

/** The workers that each pool of a configuration allows. Immutable. */
final class AllowedWorkers implements WorkerLists {
    private final List<List<WorkerPattern>> patterns;

    private AllowedWorkers(List<List<WorkerPattern>> patterns) {
        this.patterns = patterns;
    }

    static WorkerLists of(List<PoolConfig> pools) {
        return pools.stream().allMatch(pool -> pool.allowedWorkers().isEmpty())
                ? WorkerLists.ALL
                : new AllowedWorkers(
                        pools.stream().map(PoolConfig::allowedWorkers).toList());
    }

    @Override
    public boolean permit(int poolIndex, FpmFrame frame) {
        List<WorkerPattern> allowed = patterns.get(poolIndex);
        if (allowed.isEmpty()) {
            return true;
        }
        String worker = frame.workerId();
        for (WorkerPattern pattern : allowed) {
            if (pattern.matches(worker)) {
                return true;
            }
        }
        return false;
    }
}
