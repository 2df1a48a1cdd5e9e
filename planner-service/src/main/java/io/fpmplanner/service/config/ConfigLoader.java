/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Resolves the configuration: flags over environment over file over defaults.
 *
 * <p>A variable is {@code PLANNER_} and the path of a key in capitals, words and steps joined by underscores, list indices
 * counted from 0: {@code PLANNER_POOLS_0_SLO_TTFT_SECONDS}. A flag is {@code PATH=VALUE}: {@code
 * pools[0].slo.ttftSeconds=0.5}. Lists of strings are given comma-separated.
 */
public final class ConfigLoader {
    private static final long MAX_FILE_BYTES = 1 << 20;
    /** What Kubernetes injects into every pod for a Service called "planner". */
    private static final Pattern SERVICE_LINK =
            Pattern.compile("PLANNER_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_\\d+_.*)?)");

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
        if (root.path("pools").isEmpty() && problems.isEmpty()) {
            problems.add("pools must have at least one entry"
                    + (file.isPresent() ? "" : " (no configuration file was given: use --config FILE)"));
        }
        Optional<ServiceConfig> config = new ConfigBinder(problems).bind(root);
        List<String> distinct = problems.stream().distinct().toList();
        return new Resolved(
                config.filter(c -> distinct.isEmpty()).orElseThrow(() -> new ConfigException(distinct)), warnings);
    }

    /**
     * A usable configuration.
     *
     * @param config the result
     * @param warnings variables that look like ours and were not understood
     */
    public record Resolved(ServiceConfig config, List<String> warnings) {
        public Resolved {
            warnings = List.copyOf(warnings);
        }
    }

    private static ObjectNode readFile(Path file) throws ConfigException {
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new ConfigException(List.of(file + ": larger than " + MAX_FILE_BYTES + " bytes"));
            }
            JsonNode tree = ConfigTree.YAML.readTree(Files.readString(file));
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
            throw new ConfigException(List.of(file + ":" + where(e) + " " + firstLine(e.getOriginalMessage())));
        } catch (IOException e) {
            throw new ConfigException(List.of(file + ": cannot be read: " + e.getMessage()));
        }
    }

    private static String where(JsonProcessingException e) {
        return e.getLocation() == null
                ? ""
                : e.getLocation().getLineNr() + ":" + e.getLocation().getColumnNr() + ":";
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("not YAML");
    }

    private static void overlayEnvironment(ConfigTree tree, Map<String, String> environment, List<String> warnings) {
        // Sorted, so that list entries come in the order of their indices whatever the map does.
        new TreeMap<>(environment).forEach((name, value) -> {
            if (!name.startsWith("PLANNER_") || SERVICE_LINK.matcher(name).matches()) {
                return;
            }
            ConfigSchema.forVariable(name)
                    .ifPresentOrElse(
                            entry -> tree.set(entry.getKey(), entry.getValue(), value, "environment variable " + name),
                            () -> warnings.add("environment variable " + name + " is not a known setting"
                                    + suggestVariable(name)));
        });
    }

    private static String suggestVariable(String name) {
        String generic = name.replaceAll("_\\d+_", "_N_").replaceAll("_\\d+$", "_N");
        return Suggestion.forWord(generic, ConfigSchema.variables().keySet());
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
                String generic = path.replaceAll("\\[\\d+]", "[]");
                problems.add(path + " is not a known key"
                        + Suggestion.forWord(
                                generic,
                                ConfigSchema.keys().stream()
                                        .map(ConfigKey::path)
                                        .toList())
                        + " (--set)");
            }
        }
    }
}
