/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** Handlers of {@code /healthz}, {@code /livez} and {@code /readyz}, in the form Kubernetes' own components use. */
final class HealthRoutes {
    private final ServiceView service;

    HealthRoutes(ServiceView service) {
        this.service = service;
    }

    private record Check(String name, boolean passed, String why) {}

    void install(Routes routes) {
        routes.get("/healthz", context -> answer(context, "healthz", alive()));
        routes.get("/livez", context -> answer(context, "livez", alive()));
        routes.get("/readyz", context -> answer(context, "readyz", ready()));
    }

    private List<Check> alive() {
        return List.of(
                new Check("planning", !service.stalled(), "no plan was made for too long"),
                new Check("receiving", service.receiving().get(), "the thread that receives frames has ended"));
    }

    private List<Check> ready() {
        return List.of(
                new Check("planning", !service.stalled(), "no plan was made for too long"),
                new Check("receiving", service.receiving().get(), "the thread that receives frames does not run"),
                new Check("first-plan", service.plan().isPresent(), "the first plan is not made yet"));
    }

    private static void answer(RoutingContext context, String endpoint, List<Check> checks) {
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
