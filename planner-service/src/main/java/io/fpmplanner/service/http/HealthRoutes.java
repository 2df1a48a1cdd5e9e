/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code /healthz}, {@code /livez} and {@code /readyz}, in the form Kubernetes' own components use: {@code ok}, all checks
 * with {@code ?verbose}, without some by {@code ?exclude=NAME}, and one alone below the path. 503 when a check fails.
 */
public final class HealthRoutes implements RouteInstaller {
    private final ServiceView service;

    /** Prepares the answers from what may be read. */
    public HealthRoutes(ServiceView service) {
        this.service = service;
    }

    private record Check(String name, boolean passed, String why) {}

    @Override
    public void install(Router router) {
        install(router, "healthz", this::alive);
        install(router, "livez", this::alive);
        install(router, "readyz", this::ready);
    }

    private static void install(Router router, String endpoint, Supplier<List<Check>> checks) {
        for (String path : List.of("/" + endpoint, "/" + endpoint + "/:check")) {
            router.route(path).handler(context -> {
                context.put(TEMPLATE, path);
                HttpMethod method = context.request().method();
                if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
                    answer(context, endpoint, checks.get());
                } else {
                    context.response().putHeader("Allow", "GET, HEAD");
                    Problem.of(405, method + " is not possible here; use GET, HEAD")
                            .send(context);
                }
            });
        }
    }

    private List<Check> alive() {
        return List.of(
                new Check("ping", true, ""),
                new Check("planning", !service.stalled(), "no plan was made for too long"),
                new Check("receiving", service.receiving().get(), "the thread that receives frames has ended"));
    }

    private List<Check> ready() {
        return List.of(
                new Check("ping", true, ""),
                new Check("planning", !service.stalled(), "no plan was made for too long"),
                new Check("receiving", service.receiving().get(), "the thread that receives frames does not run"),
                new Check("first-plan", service.plan().isPresent(), "the first plan is not made yet"));
    }

    private static void answer(RoutingContext context, String endpoint, List<Check> checks) {
        String single = context.pathParam("check");
        if (single != null) {
            Optional<Check> check =
                    checks.stream().filter(one -> one.name().equals(single)).findFirst();
            if (check.isEmpty()) {
                Problem.of(404, endpoint + " has no check '" + single + "'").send(context);
            } else {
                send(context, endpoint, List.of(check.get()));
            }
            return;
        }
        List<String> excluded = context.request().params().getAll("exclude");
        send(
                context,
                endpoint,
                checks.stream()
                        .filter(check -> !excluded.contains(check.name()))
                        .toList());
    }

    private static void send(RoutingContext context, String endpoint, List<Check> checks) {
        boolean passed = checks.stream().allMatch(Check::passed);
        StringBuilder text = new StringBuilder();
        if (!passed || context.request().params().contains("verbose")) {
            for (Check check : checks) {
                text.append(check.passed() ? "[+]" : "[-]").append(check.name());
                text.append(check.passed() ? " ok" : " failed: " + check.why()).append('\n');
            }
            text.append(endpoint).append(passed ? " check passed\n" : " check failed\n");
        } else {
            text.append("ok");
        }
        context.response().setStatusCode(passed ? 200 : 503);
        Routes.send(context.response(), "text/plain; charset=utf-8", text.toString());
    }
}
