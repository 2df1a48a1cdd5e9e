/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.RankLimits;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.models.StepTimePrior;
import io.fpmplanner.service.prior.PriorLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes the settings of pools from a tree that was checked against the schema; what is wrong is added to the problems, and the
 * rest examined all the same.
 */
final class PoolBinder {
    private static final SloTarget DEFAULT_SLO = new SloTarget(1, 0.05, 0.95);

    private final List<String> problems;

    PoolBinder(List<String> problems) {
        this.problems = problems;
    }

    /** One pool with its sources; empty if any of it cannot be used. */
    Optional<PoolConfig> pool(String path, JsonNode node) {
        Optional<PoolSettings> settings = settings(path, node);
        List<SourceSpec> sources = sources(path + ".sources", node.path("sources"));
        if (ConfigBinder.isAbsent(node.path("sources"))) {
            problems.add(path + ".sources must have at least one entry such as tcp://10.0.0.7:20380");
        }
        if (settings.isEmpty() || sources.isEmpty()) {
            return Optional.empty();
        }
        String namespace = ConfigBinder.text(node.path("kubernetes"), "namespace", "");
        List<WorkerPattern> workers =
                AccessBinder.list(problems, path + ".allowedWorkers", node.path("allowedWorkers"), WorkerPattern::new);
        Optional<ScaleTarget> target = new InterfaceBinder(problems).target(path, node);
        return section(path, node)
                .build(
                        Optional.empty(),
                        () -> Optional.of(new PoolConfig(settings.get(), sources, namespace, target, workers)));
    }

    /** The settings of pools alone, whatever is said of their sources. */
    List<PoolSettings> settings(JsonNode list) {
        List<PoolSettings> pools = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            settings("pools[" + i + "]", list.path(i)).ifPresent(pools::add);
        }
        return pools;
    }

    private Optional<PoolSettings> settings(String path, JsonNode node) {
        SloTarget slo = slo(path + ".slo", node.path("slo"));
        EngineLimits engine = engine(path + ".engine", node.path("engine"));
        ScalingSettings scaling = new ScalingBinder(problems).bind(path, node);
        LivenessSettings liveness = liveness(path + ".liveness", node.path("liveness"));
        RankLimits ranks = ranks(path + ".ranks", node.path("ranks"));
        Optional<StepTimePrior> prior = prior(path + ".prior", ConfigBinder.text(node, "prior", ""));
        // A value of a wrong type was complained of already.
        if (ConfigBinder.isAbsent(node.path("id"))) {
            problems.add(path + ".id is required");
        }
        if (ConfigBinder.text(node, "id", "").isEmpty()) {
            return Optional.empty();
        }
        return section(path, node)
                .build(
                        Optional.empty(),
                        () -> Optional.of(new PoolSettings(
                                ConfigBinder.text(node, "id", ""),
                                ConfigBinder.text(node, "model", ""),
                                ConfigBinder.choice(node, "role", Role.class, Role.AGGREGATED),
                                slo,
                                engine,
                                scaling,
                                liveness,
                                prior,
                                ranks)));
    }

    private Optional<StepTimePrior> prior(String path, String nameOrFile) {
        if (nameOrFile.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(PriorLibrary.load(nameOrFile));
        } catch (IllegalArgumentException e) {
            problems.add(path + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private SloTarget slo(String path, JsonNode node) {
        return section(path, node)
                .build(
                        DEFAULT_SLO,
                        () -> new SloTarget(
                                ConfigBinder.number(node, "ttftSeconds", DEFAULT_SLO.ttftSeconds()),
                                ConfigBinder.number(node, "itlSeconds", DEFAULT_SLO.itlSeconds()),
                                ConfigBinder.number(node, "attainment", DEFAULT_SLO.attainment())));
    }

    private EngineLimits engine(String path, JsonNode node) {
        EngineLimits fallback = EngineLimits.defaults();
        JsonNode kv = node.path("kvCapacityTokens");
        JsonNode context = node.path("contextTokens");
        return section(path, node)
                .build(
                        fallback,
                        () -> new EngineLimits(
                                integer(
                                        path + ".maxBatchedTokens",
                                        node,
                                        "maxBatchedTokens",
                                        fallback.maxBatchedTokens()),
                                integer(path + ".maxSequences", node, "maxSequences", fallback.maxSequences()),
                                kv.isIntegralNumber() ? OptionalLong.of(kv.asLong()) : fallback.kvCapacityTokens(),
                                ConfigBinder.choice(
                                        node, "schedulingRule", SchedulingRule.class, fallback.schedulingRule()),
                                context.isIntegralNumber()
                                        ? OptionalLong.of(context.asLong())
                                        : fallback.contextTokens()));
    }

    private RankLimits ranks(String path, JsonNode node) {
        RankLimits fallback = RankLimits.defaults();
        return section(path, node)
                .build(
                        fallback,
                        () -> new RankLimits(
                                integer(path + ".max", node, "max", fallback.max()),
                                integer(path + ".maxPerEndpoint", node, "maxPerEndpoint", fallback.maxPerEndpoint())));
    }

    private LivenessSettings liveness(String path, JsonNode node) {
        LivenessSettings fallback = LivenessSettings.defaults();
        return section(path, node)
                .build(
                        fallback,
                        () -> new LivenessSettings(
                                ConfigBinder.number(node, "staleAfterSeconds", fallback.staleAfterSeconds()),
                                ConfigBinder.number(node, "goneAfterSeconds", fallback.goneAfterSeconds())));
    }

    private List<SourceSpec> sources(String path, JsonNode list) {
        List<SourceSpec> sources = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode entry = list.path(i);
            if (!entry.isTextual()) {
                continue;
            }
            try {
                sources.add(SourceSpec.parse(entry.asText()));
            } catch (IllegalArgumentException e) {
                problems.add(path + "[" + i + "] " + e.getMessage());
            }
        }
        return sources;
    }

    private ConfigSection section(String path, JsonNode node) {
        return new ConfigSection(problems, path, node);
    }

    private int integer(String path, JsonNode node, String name, int fallback) {
        return ConfigBinder.integer(problems, path, node.path(name), fallback);
    }
}
