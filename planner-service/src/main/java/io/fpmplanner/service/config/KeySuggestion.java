/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the key that was probably meant by one that does not exist, by its own name or by what engines and others call it. */
final class KeySuggestion {
    private static final Pattern INDEX = Pattern.compile("\\[\\d{1,4}]");
    private static final int SHORTEST_BEGINNING = 3;

    /** What others call it, without capitals and separators. */
    private static final Map<String, String> OTHERS = new TreeMap<>();

    static {
        others("pools[].id", "name", "poolId", "poolName");
        others("pools[].model", "modelName", "servedModelName", "modelPath");
        others("pools[].role", "mode", "subComponentType", "disaggregationMode", "type");
        others("pools[].sources", "source", "endpoint", "endpoints", "url", "urls", "address", "addresses");
        others("pools[].kubernetes.namespace", "namespace");
        others("pools[].slo.ttftSeconds", "ttft", "ttftMs", "ttftTarget", "sloTtft");
        others("pools[].slo.itlSeconds", "itl", "itlMs", "itlTarget", "tpot", "tpotMs", "tpotSeconds");
        others("pools[].engine.maxBatchedTokens", "maxNumBatchedTokens", "chunkedPrefillSize", "maxPrefillTokens");
        others("pools[].engine.maxBatchedTokens", "maxNumTokens", "tokenBudget");
        others("pools[].engine.maxSequences", "maxNumSeqs", "maxRunningRequests", "maxBatchSize", "maxSeqs");
        others(
                "pools[].engine.kvCapacityTokens",
                "maxTotalTokens",
                "maxTotalNumTokens",
                "kvCacheTokens",
                "maxKvTokens");
        others("pools[].scaling.minReplicas", "minReplicaCount", "minEndpoint", "min");
        others("pools[].scaling.maxReplicas", "maxReplicaCount", "maxEndpoint", "max");
        others("pools[].scaling.coldStartSeconds", "coldStart", "startupTime", "startupSeconds", "startupTimeSeconds");
        others("pools[].scaling.scaleDownStabilisationSeconds", "stabilizationWindowSeconds", "stabilisationSeconds");
        others("pools[].scaling.scaleDownStabilisationSeconds", "scaleDownStabilizationSeconds");
        others("pools[].scaling.scaleDownCooldownSeconds", "cooldownPeriod", "cooldownSeconds", "cooldown");
        others("pools[].scaling.mode", "advisory", "noOperation", "dryRun");
        others("pools[].scaling.targetUtilisation", "targetUtilization", "utilization");
        others(
                "pools[].gpu.perReplica",
                "gpusPerReplica",
                "gpusPerEngine",
                "prefillEngineNumGpu",
                "decodeEngineNumGpu");
        others("gpuBudgets[].maxGpus", "maxGpuBudget", "gpuBudget", "maxTotalGpus");
        others("tickSeconds", "interval", "intervalSeconds", "adjustmentInterval", "loadAdjustmentInterval");
        others("http.port", "port", "listenPort", "metricReportingPrometheusPort");
        others("http.host", "host", "bind", "listen");
    }

    private KeySuggestion() {}

    private static void others(String path, String... names) {
        for (String name : names) {
            OTHERS.put(plain(name), path);
        }
    }

    /** {@code ", did you mean 'x'?"}, or the empty string when nothing is near. A key of the same section is named alone. */
    static String forPath(String path) {
        return inSection(path)
                .or(() -> elsewhere(path))
                .map(KeySuggestion::question)
                .orElse("");
    }

    /** The same for a key that is given by its whole path, and so named. */
    static String forFlag(String path) {
        return inSection(path)
                .map(name -> path.substring(0, path.lastIndexOf('.') + 1) + name)
                .or(() -> elsewhere(path))
                .map(KeySuggestion::question)
                .orElseGet(() -> Suggestion.forWord(
                        INDEX.matcher(path).replaceAll("[]"),
                        ConfigSchema.keys().stream().map(ConfigKey::path).toList()));
    }

    private static String question(String meant) {
        return ", did you mean '" + meant + "'?";
    }

    private static String nameOf(String path) {
        return INDEX.matcher(path.substring(path.lastIndexOf('.') + 1)).replaceAll("");
    }

    private static Optional<String> inSection(String path) {
        int dot = path.lastIndexOf('.');
        List<String> siblings = ConfigSchema.childrenOf(dot < 0 ? "" : path.substring(0, dot));
        String name = nameOf(path);
        return sibling(siblings, each -> plain(each).equals(plain(name))).or(() -> nearby(siblings, name));
    }

    /** By what others call it, if that is a key of the section; by its beginning; by its spelling. */
    private static Optional<String> nearby(List<String> siblings, String name) {
        String plain = plain(name);
        String known = OTHERS.getOrDefault(plain, "");
        Optional<String> alias = sibling(siblings, each -> known.endsWith("." + each));
        Optional<String> beginning = plain.length() < SHORTEST_BEGINNING
                ? Optional.empty()
                : sibling(siblings, each -> plain(each).startsWith(plain));
        return alias.or(() -> beginning)
                .or(() -> known.isEmpty() ? Suggestion.nearest(name, siblings) : Optional.empty());
    }

    private static Optional<String> sibling(List<String> siblings, Predicate<String> fits) {
        List<String> fitting = siblings.stream().filter(fits).toList();
        return fitting.size() == 1 ? Optional.of(fitting.get(0)) : Optional.empty();
    }

    /** A key of another section, with the list index of this one where both stand in the same list. */
    private static Optional<String> elsewhere(String path) {
        String plain = plain(nameOf(path));
        String known = OTHERS.get(plain);
        if (known == null) {
            List<String> same = ConfigSchema.keys().stream()
                    .map(ConfigKey::path)
                    .flatMap(each -> Arrays.stream(withSections(each)))
                    .distinct()
                    .filter(each ->
                            plain(each.substring(each.lastIndexOf('.') + 1)).equals(plain))
                    .toList();
            known = same.size() == 1 ? same.get(0) : null;
        }
        return Optional.ofNullable(known).map(found -> concrete(found, path));
    }

    /** The path and those of the sections it stands in. */
    private static String[] withSections(String path) {
        String[] steps = path.split("\\.", -1);
        String[] paths = new String[steps.length];
        for (int i = 0; i < steps.length; i++) {
            paths[i] = i == 0 ? steps[0] : paths[i - 1] + "." + steps[i];
        }
        return paths;
    }

    private static String concrete(String generic, String near) {
        Matcher index = INDEX.matcher(near);
        boolean sameList = index.find() && generic.startsWith(near.substring(0, index.start()) + "[]");
        return sameList ? generic.replaceFirst("\\[]", Matcher.quoteReplacement(index.group())) : generic;
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}
