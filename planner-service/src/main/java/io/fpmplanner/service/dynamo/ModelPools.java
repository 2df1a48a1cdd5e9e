/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.dynamo;

import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.config.ServiceConfig;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The pools that stand for the components of one Dynamo deployment: at most one that prefills, and one that decodes. As in
 * Dynamo an aggregated pool counts as one that decodes.
 *
 * @param prefill id of the pool that prefills; empty for none
 * @param decode id of the pool that decodes; empty for none
 * @param fault why it cannot be told which pools these are; empty if it can
 */
record ModelPools(Optional<String> prefill, Optional<String> decode, String fault) {
    static ModelPools of(ServiceConfig config) {
        String model = config.interfaces().dynamo().model();
        List<PoolConfig> pools = config.pools().stream()
                .filter(pool -> model.isEmpty() || pool.settings().model().equals(model))
                .toList();
        List<String> prefill = ids(pools, role -> role == Role.PREFILL);
        List<String> decode = ids(pools, role -> role != Role.PREFILL);
        String fault = "";
        if (pools.isEmpty()) {
            fault = "no pool has the model '" + model + "' that dynamo.model names";
        } else if (prefill.size() > 1 || decode.size() > 1) {
            fault = "several pools have the same part (" + String.join(", ", prefill.size() > 1 ? prefill : decode)
                    + "); name one model by dynamo.model";
        }
        return fault.isEmpty()
                ? new ModelPools(prefill.stream().findFirst(), decode.stream().findFirst(), "")
                : new ModelPools(Optional.empty(), Optional.empty(), fault);
    }

    private static List<String> ids(List<PoolConfig> pools, Predicate<Role> roles) {
        return pools.stream()
                .map(PoolConfig::settings)
                .filter(settings -> roles.test(settings.role()))
                .map(settings -> settings.id())
                .toList();
    }

    Optional<PoolPlan> prefillOf(PlanView plan) {
        return prefill.flatMap(plan::pool);
    }

    Optional<PoolPlan> decodeOf(PlanView plan) {
        return decode.flatMap(plan::pool);
    }
}
