/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.pool.ReplicaCost;
import io.fpmplanner.core.pool.ScalingPace;
import io.fpmplanner.core.pool.ScalingSettings;

/** Writes the settings of scaling into the node of a pool. */
final class ScalingWriter {
    private ScalingWriter() {}

    static void write(ObjectNode pool, ScalingSettings scaling) {
        ScalingPace pace = scaling.pace();
        ObjectNode node = pool.putObject("scaling")
                .put("minReplicas", scaling.minReplicas())
                .put("maxReplicas", scaling.maxReplicas())
                .put("targetUtilisation", scaling.targetUtilisation())
                .put("scaleDownStabilisationSeconds", scaling.scaleDownStabilisationSeconds())
                .put("coldStartSeconds", scaling.coldStartSeconds())
                .put("objective", ConfigWriter.lower(scaling.objective()))
                .put("mode", ConfigWriter.lower(scaling.mode()));
        step(node, "maxStepUp", pace.mostUp());
        step(node, "maxStepDown", pace.mostDown());
        node.put("scaleUpCooldownSeconds", pace.upCooldownSeconds())
                .put("scaleDownCooldownSeconds", pace.downCooldownSeconds())
                .put("drainSeconds", pace.drainSeconds())
                .put("hpaTolerance", pace.hpaTolerance())
                .put("hpaSteps", ConfigWriter.lower(pace.hpaSteps()));
        ReplicaCost cost = scaling.cost();
        ObjectNode gpu = pool.putObject("gpu").put("type", cost.gpuType()).put("perReplica", cost.gpus());
        if (cost.costPerGpuHour().isPresent()) {
            gpu.put("costPerHour", cost.costPerGpuHour().getAsDouble());
        } else {
            gpu.putNull("costPerHour");
        }
    }

    private static void step(ObjectNode node, String name, int replicas) {
        if (replicas == ScalingPace.UNLIMITED) {
            node.putNull(name);
        } else {
            node.put(name, replicas);
        }
    }
}
