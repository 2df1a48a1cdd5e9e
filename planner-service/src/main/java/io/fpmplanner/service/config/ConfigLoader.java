/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.GpuBudget;
import io.fpmplanner.core.pool.PoolSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the configuration: flags over environment over file over defaults.
 *
 * <p>A variable is {@code PLANNER_} and the path of a key in capitals, words and steps joined by underscores, list indices
 * counted from 0: {@code PLANNER_POOLS_0_SLO_TTFT_SECONDS}. A flag is {@code PATH=VALUE}: {@code
 * pools[0].slo.ttftSeconds=0.5}. Lists of strings are given comma-separated.
 */
public final class ConfigLoader {
    private static final int MAX_FILE_BYTES = 1 << 20;
    /** What Kubernetes injects into every pod for a Service called "planner". */
    private static final Pattern SERVICE_LINK =
            Pattern.compile("PLANNER_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_\\d+_.*)?)");

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** What belongs to the script that starts the service. */
    private static final Set<String> LAUNCHER = Set.of("PLANNER_JAVA_OPTS", "PLANNER_NO_BUILD", "PLANNER_ARCHIVE");

    private ConfigLoader() {}

    /**
     * Reads and checks everything.
     *
     * @param file YAML (or JSON) file; empty to do without
     * @param environment all variables of the process; only those that start with {@code PLANNER_} matter
     * @param settings values of {@code --set}, each {@code PATH=VALUE}, later ones win
     * @throws ConfigException with every problem found
     */
    public static Resolved load(Optional<Path> file, Map<String, String> environment, List<String> settings)
            throws ConfigException {
        List<String> problems = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        ObjectNode root = file.isPresent() ? readFile(file.get()) : JsonNodeFactory.instance.objectNode();
        ConfigTree tree = new ConfigTree(root, problems);
        overlayEnvironment(tree, environment, warnings);
        overlaySettings(tree, settings, problems);
        tree.checkAgainstSchema();
        if (ConfigBinder.isAbsent(root.path("pools"))) {
            problems.add("pools must have at least one entry"
                    + (file.isPresent() ? "" : " (no configuration file was given: use --config FILE)"));
        }
        Optional<ServiceConfig> config = new ConfigBinder(problems).bind(root);
        warnOfAssumedBudgets(root.path("pools"), warnings);
        config.ifPresent(bound -> warnOfMoreEndpointsThanRanks(bound.pools(), warnings));
        List<String> distinct = problems.stream().distinct().toList();
        return new Resolved(
                config.filter(c -> distinct.isEmpty()).orElseThrow(() -> new ConfigException(distinct, warnings)),
                warnings);
    }

    /* What an engine does in a step depends on it, and frames do not tell it: with a wrong one, chunks count as prompts. */
    private static void warnOfAssumedBudgets(JsonNode pools, List<String> warnings) {
        for (int i = 0; i < pools.size(); i++) {
            JsonNode pool = pools.path(i);
            if (!pool.path("role").asText("").equalsIgnoreCase("decode")
                    && ConfigBinder.isAbsent(pool.path("engine").path("maxBatchedTokens"))) {
                warnings.add(
                        "pools[" + i + "].engine.maxBatchedTokens is not given, so "
                                + EngineLimits.defaults().maxBatchedTokens()
                                + " is assumed; if the engine's token budget is another, requests and their lengths are miscounted");
            }
        }
    }

    /* Each endpoint is one rank at least. */
    private static void warnOfMoreEndpointsThanRanks(List<PoolConfig> pools, List<String> warnings) {
        for (int i = 0; i < pools.size(); i++) {
            int endpoints = pools.get(i).sources().stream()
                    .mapToInt(SourceSpec::endpoints)
                    .sum();
            int most = pools.get(i).settings().ranks().max();
            if (endpoints > most) {
                warnings.add("pools[" + i + "].sources name " + endpoints + " endpoints, and pools[" + i
                        + "].ranks.max is " + most + ": frames of further ranks would be refused");
            }
        }
    }

    /**
     * The pools and their budgets alone of a file and of flags, for a planner whose frames are handed over by the caller: sources may be
     * missing and do not matter.
     *
     * @throws ConfigException with every problem found
     */
    public static PoolPlanning pools(Optional<Path> file, List<String> settings) throws ConfigException {
        ObjectNode root = file.isPresent() ? readFile(file.get()) : JsonNodeFactory.instance.objectNode();
        List<String> problems = new ArrayList<>();
        overlaySettings(new ConfigTree(root, problems), settings, problems);
        return pools(root, problems);
    }

    /** As {@link #pools(Optional, List)} of a tree that was read already. */
    public static PoolPlanning pools(ObjectNode root) throws ConfigException {
        return pools(root, new ArrayList<>());
    }

    private static PoolPlanning pools(ObjectNode root, List<String> problems) throws ConfigException {
        new ConfigTree(root, problems).checkAgainstSchema();
        ConfigBinder binder = new ConfigBinder(problems);
        List<PoolSettings> pools = new PoolBinder(problems).settings(root.path("pools"));
        List<GpuBudget> budgets = binder.budgets(root.path("gpuBudgets"), pools);
        if (pools.isEmpty() && problems.isEmpty()) {
            problems.add("pools must have at least one entry");
        }
        if (pools.stream().map(PoolSettings::id).distinct().count() < pools.size()) {
            problems.add("pools must have different ids");
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems.stream().distinct().toList());
        }
        return new PoolPlanning(pools, budgets);
    }

    /**
     * A usable configuration.
     *
     * @param config the result
     * @param warnings variables that look like ours and were not understood, and what is assumed that should be told
     */
    public record Resolved(ServiceConfig config, List<String> warnings) {
        public Resolved {
            warnings = List.copyOf(warnings);
        }
    }

    private static ObjectNode readFile(Path file) throws ConfigException {
        try {
            String text = readText(file);
            refuseAliasesAndFurtherDocuments(file, text);
            JsonNode tree = ConfigTree.YAML.readTree(text);
            if (tree == null || tree.isMissingNode() || tree.isNull()) {
                return JsonNodeFactory.instance.objectNode();
            }
            if (tree instanceof ObjectNode object) {
                return object;
            }
            throw new ConfigException(List.of(file + ": must hold keys such as pools:, was " + tree.getNodeType()));
        } catch (NoSuchFileException e) {
            throw new ConfigException(List.of(file + ": no such file"));
        } catch (MalformedInputException e) {
            throw new ConfigException(List.of(file + ": not UTF-8 text"));
        } catch (JsonProcessingException e) {
            throw new ConfigException(
                    List.of(file + ":" + where(e.getLocation()) + " " + firstLine(e.getOriginalMessage())));
        } catch (IOException e) {
            throw new ConfigException(List.of(file + ": cannot be read: " + e.getMessage()));
        }
    }

    /* A pipe or a device does not tell its size. */
    private static String readText(Path file) throws IOException, ConfigException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_FILE_BYTES + 1);
        }
        if (bytes.length > MAX_FILE_BYTES) {
            throw new ConfigException(List.of(file + ": larger than " + MAX_FILE_BYTES + " bytes"));
        }
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    /*
     * Jackson gives the name of an alias in place of what it stands for, and stops reading after the first document.
     */
    private static void refuseAliasesAndFurtherDocuments(Path file, String text) throws IOException, ConfigException {
        try (YAMLParser parser = ConfigTree.YAML.getFactory().createParser(text)) {
            int depth = 0;
            boolean ended = false;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                String place = file + ":" + where(parser.currentTokenLocation());
                if (ended) {
                    throw new ConfigException(
                            List.of(place + " a second document; the configuration must be a single one"));
                }
                if (parser.isCurrentAlias()) {
                    throw new ConfigException(List.of(place + " the alias *" + parser.getText()
                            + " is not supported; write out what it stands for"));
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                ended = depth == 0;
            }
        }
    }

    private static String where(@Nullable JsonLocation location) {
        return location == null ? "" : location.getLineNr() + ":" + location.getColumnNr() + ":";
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("not YAML");
    }

    private static void overlayEnvironment(ConfigTree tree, Map<String, String> environment, List<String> warnings) {
        // Sorted, so that list entries come in the order of their indices whatever the map does: 2 before 10.
        Map<String, String> sorted = new TreeMap<>(Comparator.comparing(ConfigLoader::byNumbers));
        sorted.putAll(environment);
        sorted.forEach((name, value) -> {
            if (!name.startsWith("PLANNER_")
                    || LAUNCHER.contains(name)
                    || SERVICE_LINK.matcher(name).matches()) {
                return;
            }
            ConfigSchema.forVariable(name)
                    .ifPresentOrElse(
                            entry -> tree.set(entry.getKey(), entry.getValue(), value, "environment variable " + name),
                            () -> warnings.add("environment variable " + name + " is not a known setting"
                                    + suggestVariable(name)));
        });
    }

    private static String byNumbers(String name) {
        return NUMBER.matcher(name)
                .replaceAll(number -> "0".repeat(Math.max(0, 10 - number.group().length())) + number.group());
    }

    private static String suggestVariable(String name) {
        String generic = name.replaceAll("_\\d+_", "_N_").replaceAll("_\\d+$", "_N");
        return Suggestion.forWord(generic, ConfigSchema.variables().keySet());
    }

    private static boolean isSection(String path) {
        return !ConfigSchema.childrenOf(path).isEmpty()
                || !ConfigSchema.childrenOf(path + "[0]").isEmpty();
    }

    private static void overlaySettings(ConfigTree tree, List<String> settings, List<String> problems) {
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            if (equals <= 0) {
                problems.add("--set " + setting + " must have the form PATH=VALUE");
                continue;
            }
            String path = setting.substring(0, equals).strip();
            String value = setting.substring(equals + 1);
            var key = ConfigSchema.find(path).or(() -> ConfigSchema.find(path.replaceFirst("\\[\\d{1,4}]$", "")));
            if (key.isPresent()) {
                tree.set(path, key.get(), value, "--set");
            } else {
                problems.add(
                        isSection(path)
                                ? path + " has keys of its own, which are set one by one (--set)"
                                : path + " is not a known key" + KeySuggestion.forFlag(path) + " (--set)");
            }
        }
    }
}
