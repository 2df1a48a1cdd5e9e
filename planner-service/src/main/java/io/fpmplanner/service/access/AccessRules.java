/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which role each route asks for. Health is open to everybody, reading asks for READ, and every other operation is named
 * here or asks for OPERATE.
 */
public final class AccessRules {
    /** First match counts. */
    private static final List<Rule> RULES = List.of(
            open("GET", "/healthz"),
            open("GET", "/healthz/{check}"),
            open("GET", "/livez"),
            open("GET", "/livez/{check}"),
            open("GET", "/readyz"),
            open("GET", "/readyz/{check}"),
            needs("POST", "/v1/pools/{pool}/predictions", AccessRole.READ),
            needs("POST", "/v1/pools/{pool}/what-if", AccessRole.READ),
            needs("POST", "/v1/pools/{pool}/what-if/curve", AccessRole.READ),
            needs("POST", "/v1/pools/{pool}/observations", AccessRole.INGEST),
            needs("POST", "/v1/pools/{pool}/llm-d/predict", AccessRole.READ),
            needs("POST", "/v1/pools/{pool}/llm-d/predict/bulk", AccessRole.READ),
            needs("POST", "/v1/pools/{pool}/llm-d/predict/bulk/strict", AccessRole.READ),
            needs("POST", "/v1/pools/{pool}/llm-d/add_training_data_bulk", AccessRole.INGEST),
            needs("POST", "/v1/pools/{pool}/frames", AccessRole.INGEST),
            needs("POST", "/v1/frames", AccessRole.INGEST),
            needs("POST", "/v1/dynamo/decision/complete", AccessRole.OPERATE),
            needs("PUT", "/v1/pools/{pool}/fleet", AccessRole.OPERATE),
            needs("DELETE", "/v1/pools/{pool}/fleet", AccessRole.OPERATE),
            needs("PUT", "/v1/pools/{pool}/queue", AccessRole.OPERATE),
            needs("DELETE", "/v1/pools/{pool}/queue", AccessRole.OPERATE),
            needs("PUT", "/v1/pools/{pool}/forecast", AccessRole.OPERATE),
            needs("DELETE", "/v1/pools/{pool}/forecast", AccessRole.OPERATE),
            needs("PUT", "/v1/pools/{pool}/workload", AccessRole.OPERATE),
            needs("DELETE", "/v1/pools/{pool}/workload", AccessRole.OPERATE));

    private AccessRules() {}

    private record Rule(String method, Pattern path, Optional<AccessRole> role) {}

    private static Rule open(String method, String template) {
        return new Rule(method, pattern(template), Optional.empty());
    }

    private static Rule needs(String method, String template, AccessRole role) {
        return new Rule(method, pattern(template), Optional.of(role));
    }

    private static Pattern pattern(String template) {
        return Pattern.compile(template.replaceAll("\\{\\w+}", "[^/]+"));
    }

    /**
     * The role that a request needs; empty if everybody may.
     *
     * @param method of HTTP; HEAD is as GET
     * @param path normalised, without query
     */
    public static Optional<AccessRole> needed(String method, String path) {
        return named(method, path)
                .map(Rule::role)
                .orElse(Optional.of(isRead(method) ? AccessRole.READ : AccessRole.OPERATE));
    }

    /** Whether the role was thought of: the operation is a read, or there is a rule for it. */
    static boolean isConsidered(String method, String path) {
        return isRead(method) || named(method, path).isPresent();
    }

    private static Optional<Rule> named(String method, String path) {
        String asked = method.equals("HEAD") ? "GET" : method;
        return RULES.stream()
                .filter(rule ->
                        rule.method().equals(asked) && rule.path().matcher(path).matches())
                .findFirst();
    }

    private static boolean isRead(String method) {
        return method.equals("GET") || method.equals("HEAD") || method.equals("OPTIONS");
    }
}
