/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.GpuBudget;
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
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Makes the records from a tree that was checked against the schema.
 *
 * <p>Ranges are checked by the records alone. A record that refuses its values adds a problem and is replaced by its
 * defaults, so that the rest of the tree is still examined; the result is only used when there was no problem.
 */
final class ConfigBinder {
    static final SloTarget DEFAULT_SLO = new SloTarget(1, 0.05, 0.95);

    private final List<String> problems;

    ConfigBinder(List<String> problems) {
        this.problems = problems;
    }

    Optional<ServiceConfig> bind(JsonNode root) {
        HttpSettings http = http(root.path("http"));
        ZeroMqSettings zeromq = zeromq(root.path("zeromq"));
        InterfaceSettings interfaces = new InterfaceBinder(problems).bind(root);
        List<PoolConfig> pools = new ArrayList<>();
        JsonNode list = root.path("pools");
        for (int i = 0; i < list.size(); i++) {
            JsonNode entry = list.path(i);
            if (entry.isObject()) {
                pool("pools[" + i + "]", entry).ifPresent(pools::add);
            }
        }
        if ((pools.isEmpty() || pools.size() < list.size()) && !problems.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ServiceConfig(
                    http,
                    number(root, "tickSeconds", ServiceConfig.DEFAULT_TICK_SECONDS),
                    integer("handoffFrames", root, "handoffFrames", ServiceConfig.DEFAULT_HANDOFF_FRAMES),
                    zeromq,
                    interfaces,
                    state(root.path("state")),
                    pools,
                    budgets(
                            root.path("gpuBudgets"),
                            pools.stream().map(PoolConfig::settings).toList())));
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
            return Optional.empty();
        }
    }

    private HttpSettings http(JsonNode node) {
        HttpSettings fallback = HttpSettings.defaults();
        return section("http", node)
                .build(
                        fallback,
                        () -> new HttpSettings(
                                text(node, "host", fallback.host()),
                                integer("http.port", node, "port", fallback.port()),
                                integer("http.maxBodyBytes", node, "maxBodyBytes", fallback.maxBodyBytes()),
                                AccessBinder.bind(problems, node)));
    }

    private ZeroMqSettings zeromq(JsonNode node) {
        ZeroMqSettings fallback = ZeroMqSettings.defaults();
        return section("zeromq", node)
                .build(
                        fallback,
                        () -> new ZeroMqSettings(
                                choice(node, "transport", ZeroMqSettings.Transport.class, fallback.transport()),
                                integer(
                                        "zeromq.receiveHighWaterMark",
                                        node,
                                        "receiveHighWaterMark",
                                        fallback.receiveHighWaterMark()),
                                number(node, "reconnectSeconds", fallback.reconnectSeconds()),
                                number(node, "reconnectMaxSeconds", fallback.reconnectMaxSeconds()),
                                number(node, "resolveSeconds", fallback.resolveSeconds()),
                                integer("zeromq.maxFrameBytes", node, "maxFrameBytes", fallback.maxFrameBytes()),
                                AccessBinder.list(
                                        problems,
                                        "zeromq.allowedAddresses",
                                        node.path("allowedAddresses"),
                                        Network::parse)));
    }

    private StateSettings state(JsonNode node) {
        StateSettings fallback = StateSettings.defaults();
        return section("state", node)
                .build(
                        fallback,
                        () -> new StateSettings(
                                InterfaceBinder.file(node, "", "directory"),
                                number(node, "intervalSeconds", fallback.intervalSeconds())));
    }

    private Optional<PoolConfig> pool(String path, JsonNode node) {
        Optional<PoolSettings> settings = settings(path, node);
        List<SourceSpec> sources = sources(path + ".sources", node.path("sources"));
        if (isAbsent(node.path("sources"))) {
            problems.add(path + ".sources must have at least one entry such as tcp://10.0.0.7:20380");
        }
        if (settings.isEmpty() || sources.isEmpty()) {
            return Optional.empty();
        }
        String namespace = text(node.path("kubernetes"), "namespace", "");
        List<WorkerPattern> workers =
                AccessBinder.list(problems, path + ".allowedWorkers", node.path("allowedWorkers"), WorkerPattern::new);
        Optional<ScaleTarget> target = new InterfaceBinder(problems).target(path, node);
        return section(path, node)
                .build(
                        Optional.empty(),
                        () -> Optional.of(new PoolConfig(settings.get(), sources, namespace, target, workers)));
    }

    /** The settings of pools alone, whatever is said of their sources. */
    List<PoolSettings> poolSettings(JsonNode list) {
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
        Optional<StepTimePrior> prior = prior(path + ".prior", text(node, "prior", ""));
        // A value of a wrong type was complained of already.
        if (isAbsent(node.path("id"))) {
            problems.add(path + ".id is required");
        }
        if (text(node, "id", "").isEmpty()) {
            return Optional.empty();
        }
        return section(path, node)
                .build(
                        Optional.empty(),
                        () -> Optional.of(new PoolSettings(
                                text(node, "id", ""),
                                text(node, "model", ""),
                                choice(node, "role", Role.class, Role.AGGREGATED),
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
                                number(node, "ttftSeconds", DEFAULT_SLO.ttftSeconds()),
                                number(node, "itlSeconds", DEFAULT_SLO.itlSeconds()),
                                number(node, "attainment", DEFAULT_SLO.attainment())));
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
                                choice(node, "schedulingRule", SchedulingRule.class, fallback.schedulingRule()),
                                context.isIntegralNumber()
                                        ? OptionalLong.of(context.asLong())
                                        : fallback.contextTokens()));
    }

    /** GPUs that pools may have together; a budget for a type that no pool is on would limit nothing, unnoticed. */
    List<GpuBudget> budgets(JsonNode list, List<PoolSettings> pools) {
        Set<String> types =
                pools.stream().map(pool -> pool.scaling().cost().gpuType()).collect(Collectors.toSet());
        List<GpuBudget> budgets = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode entry = list.path(i);
            String path = "gpuBudgets[" + i + "]";
            String type = text(entry, "gpuType", "");
            if (isAbsent(entry.path("maxGpus"))) {
                problems.add(path + ".maxGpus is required");
            } else if (budgets.stream().anyMatch(other -> other.gpuType().equals(type))) {
                problems.add(path + ".gpuType '" + type + "' has a budget already");
            } else if (!type.isEmpty() && !types.contains(type)) {
                problems.add(
                        path + ".gpuType '" + type + "' is the gpu.type of no pool" + Suggestion.forWord(type, types));
            } else {
                section(path, entry)
                        .build(
                                Optional.<GpuBudget>empty(),
                                () -> Optional.of(new GpuBudget(type, integer(path + ".maxGpus", entry, "maxGpus", 0))))
                        .ifPresent(budgets::add);
            }
        }
        return budgets;
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
                                number(node, "staleAfterSeconds", fallback.staleAfterSeconds()),
                                number(node, "goneAfterSeconds", fallback.goneAfterSeconds())));
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

    /** What the constructor makes; if it refuses, a problem is added and the fallback is the result. */
    static <T> T build(List<String> problems, String path, T fallback, Supplier<T> constructor) {
        return new Section(problems, path, MissingNode.getInstance()).build(fallback, constructor);
    }

    private Section section(String path, JsonNode node) {
        return new Section(problems, path, node);
    }

    /**
     * A part of the tree that one record is made of.
     *
     * @param problems what is wrong is added there
     * @param path of the section
     * @param node the section; a value that was refused is taken out of it
     */
    record Section(List<String> problems, String path, JsonNode node) {
        /**
         * What the constructor makes; if it refuses, a problem is added and the fallback is the result. A record refuses one
         * value at a time and names it first, so it is asked again without that value: all that is wrong is told at once.
         */
        <T> T build(T fallback, Supplier<T> constructor) {
            boolean refused = false;
            while (true) {
                try {
                    T made = constructor.get();
                    return refused ? fallback : made;
                } catch (IllegalArgumentException e) {
                    refused = true;
                    problems.add(path + "." + e.getMessage());
                    String field = String.valueOf(e.getMessage()).split(" ", 2)[0];
                    if (!(node instanceof ObjectNode section) || section.remove(field) == null) {
                        return fallback;
                    }
                }
            }
        }
    }

    /** Whether nothing was given: no value, null, an empty text or list. */
    static boolean isAbsent(JsonNode value) {
        return value.isMissingNode()
                || value.isNull()
                || (value.isArray() && value.isEmpty())
                || (value.isTextual() && value.asText().isEmpty());
    }

    static String text(JsonNode node, String name, String fallback) {
        JsonNode value = node.path(name);
        return value.isTextual() ? value.asText() : fallback;
    }

    static double number(JsonNode node, String name, double fallback) {
        JsonNode value = node.path(name);
        return value.isNumber() ? value.asDouble() : fallback;
    }

    private int integer(String path, JsonNode node, String name, int fallback) {
        return integer(problems, path, node.path(name), fallback);
    }

    /** A whole number; a problem is added if it is too large. */
    static int integer(List<String> problems, String path, JsonNode value, int fallback) {
        if (value.isIntegralNumber() && !value.canConvertToInt()) {
            problems.add(path + " must fit in 32 bits, was " + value);
            return fallback;
        }
        return value.isIntegralNumber() ? value.asInt() : fallback;
    }

    static <E extends Enum<E>> E choice(JsonNode node, String name, Class<E> type, E fallback) {
        JsonNode value = node == null ? MissingNode.getInstance() : node.path(name);
        if (!value.isTextual()) {
            return fallback;
        }
        String constant = ConfigTree.normal(value.asText()).replace('-', '_').toUpperCase(Locale.ROOT);
        for (E each : type.getEnumConstants()) {
            if (each.name().equals(constant)) {
                return each;
            }
        }
        return fallback;
    }
}
