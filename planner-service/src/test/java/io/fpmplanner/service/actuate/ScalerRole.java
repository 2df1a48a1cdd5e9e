/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the role in deploy/ allows, and what requests to an API server ask for, both as lines {@code VERB GROUP/RESOURCE}. */
final class ScalerRole {
    private static final Path FILE = Path.of("..", "deploy", "kubernetes", "actuate", "rbac.yaml");
    private static final Pattern CALL =
            Pattern.compile("(\\w+) /apis/([^/]+)/[^/]+/namespaces/llm/([^/]+)(?:/([^/]+))?(/[^/]+)?");

    private ScalerRole() {}

    /** Resources are named, where the rule names them: {@code get apps/deployments chat}. */
    static Set<String> allowed() throws Exception {
        JsonNode role = new YAMLMapper().readTree(FILE.toFile());
        Set<String> allowed = new TreeSet<>();
        for (JsonNode rule : role.get("rules")) {
            for (JsonNode group : rule.get("apiGroups")) {
                for (JsonNode resource : rule.get("resources")) {
                    for (JsonNode verb : rule.get("verbs")) {
                        String line = verb.asText() + " " + group.asText() + "/" + resource.asText();
                        allowed.add(rule.path("resourceNames").isMissingNode() ? line : line + " named");
                    }
                }
            }
        }
        return allowed;
    }

    /** By Kubernetes' own mapping of methods to verbs; the name of an object that is made is in no path. */
    static Set<String> asked(Iterable<String> calls) {
        Set<String> asked = new TreeSet<>();
        for (String call : calls) {
            Matcher matcher = CALL.matcher(call);
            if (!matcher.matches()) {
                asked.add(call);
                continue;
            }
            String verb = switch (matcher.group(1)) {
                case "GET" -> matcher.group(4) == null ? "list" : "get";
                case "PUT" -> "update";
                case "POST" -> "create";
                case "PATCH" -> "patch";
                default -> matcher.group(1);
            };
            String resource = matcher.group(3) + (matcher.group(5) == null ? "" : matcher.group(5));
            asked.add(verb + " " + matcher.group(2) + "/" + resource + (matcher.group(4) == null ? "" : " named"));
        }
        return asked;
    }
}
