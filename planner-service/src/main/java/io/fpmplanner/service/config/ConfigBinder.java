/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fpmplanner.core.pool.GpuBudget;
import io.fpmplanner.core.pool.PoolSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
                new PoolBinder(problems).pool("pools[" + i + "]", entry).ifPresent(pools::add);
            }
        }
        // Before the pools are looked at together, so that what is wrong here is told with what is wrong with one of
        // them.
        boolean inRange = section("", root).build(false, () -> {
            ServiceConfig.requireRanges(tickSeconds(root), handoffFrames(root));
            return true;
        });
        if ((!inRange || pools.isEmpty() || pools.size() < list.size()) && !problems.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ServiceConfig(
                    http,
                    tickSeconds(root),
                    handoffFrames(root),
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

    private static double tickSeconds(JsonNode root) {
        return number(root, "tickSeconds", ServiceConfig.DEFAULT_TICK_SECONDS);
    }

    private int handoffFrames(JsonNode root) {
        return integer("handoffFrames", root, "handoffFrames", ServiceConfig.DEFAULT_HANDOFF_FRAMES);
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

    /** What the constructor makes; if it refuses, a problem is added and the fallback is the result. */
    static <T> T build(List<String> problems, String path, T fallback, Supplier<T> constructor) {
        return new ConfigSection(problems, path, MissingNode.getInstance()).build(fallback, constructor);
    }

    private ConfigSection section(String path, JsonNode node) {
        return new ConfigSection(problems, path, node);
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
