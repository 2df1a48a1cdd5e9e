/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.core.pool.HpaSteps;
import io.fpmplanner.core.pool.ReplicaCost;
import io.fpmplanner.core.pool.ScalingMode;
import io.fpmplanner.core.pool.ScalingObjective;
import io.fpmplanner.core.pool.ScalingPace;
import io.fpmplanner.core.pool.ScalingSettings;
import java.util.List;
import java.util.OptionalDouble;

/** Makes the settings of scaling from the node of a pool. */
final class ScalingBinder {
    static final ScalingSettings DEFAULTS = new ScalingSettings(1, 16, 0.9, 120, 120);

    private final List<String> problems;

    ScalingBinder(List<String> problems) {
        this.problems = problems;
    }

    ScalingSettings bind(String poolPath, JsonNode pool) {
        String path = poolPath + ".scaling";
        JsonNode node = pool.path("scaling");
        double coldStart = ConfigBinder.number(node, "coldStartSeconds", DEFAULTS.coldStartSeconds());
        ScalingPace pace = pace(path, node);
        ReplicaCost cost = cost(poolPath + ".gpu", pool.path("gpu"));
        return new ConfigSection(problems, path, node)
                .build(
                        DEFAULTS,
                        () -> new ScalingSettings(
                                integer(path + ".minReplicas", node, DEFAULTS.minReplicas()),
                                integer(path + ".maxReplicas", node, DEFAULTS.maxReplicas()),
                                ConfigBinder.number(node, "targetUtilisation", DEFAULTS.targetUtilisation()),
                                ConfigBinder.number(node, "scaleDownStabilisationSeconds", coldStart),
                                coldStart,
                                ConfigBinder.choice(node, "objective", ScalingObjective.class, DEFAULTS.objective()),
                                ConfigBinder.choice(node, "mode", ScalingMode.class, DEFAULTS.mode()),
                                pace,
                                cost));
    }

    private ScalingPace pace(String path, JsonNode node) {
        ScalingPace fallback = ScalingPace.free();
        return new ConfigSection(problems, path, node)
                .build(
                        fallback,
                        () -> new ScalingPace(
                                integer(path + ".maxStepUp", node, fallback.mostUp()),
                                integer(path + ".maxStepDown", node, fallback.mostDown()),
                                ConfigBinder.number(node, "scaleUpCooldownSeconds", fallback.upCooldownSeconds()),
                                ConfigBinder.number(node, "scaleDownCooldownSeconds", fallback.downCooldownSeconds()),
                                ConfigBinder.number(node, "drainSeconds", fallback.drainSeconds()),
                                ConfigBinder.number(node, "hpaTolerance", fallback.hpaTolerance()),
                                ConfigBinder.choice(node, "hpaSteps", HpaSteps.class, fallback.hpaSteps())));
    }

    private ReplicaCost cost(String path, JsonNode node) {
        JsonNode price = node.path("costPerHour");
        return new ConfigSection(problems, path, node)
                .build(
                        ReplicaCost.one(),
                        () -> new ReplicaCost(
                                ConfigBinder.text(node, "type", ""),
                                integer(path + ".perReplica", node, 1),
                                price.isNumber() ? OptionalDouble.of(price.asDouble()) : OptionalDouble.empty()));
    }

    private int integer(String path, JsonNode node, int fallback) {
        return ConfigBinder.integer(problems, path, node.path(path.substring(path.lastIndexOf('.') + 1)), fallback);
    }
}
