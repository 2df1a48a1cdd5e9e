/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import io.fpmplanner.service.metrics.ServiceMetrics;
import io.vertx.ext.web.Router;

/** Counts and times every request of a router by the template of its route. Installed before all else. */
public final class RequestTiming implements RouteInstaller {
    private static final int FIRST = -999;

    private final ServiceMetrics metrics;

    /** Counts in those metrics. */
    public RequestTiming(ServiceMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void install(Router router) {
        router.route().order(FIRST).handler(context -> {
            long startNanos = System.nanoTime();
            context.addEndHandler(done -> {
                String template = context.get(TEMPLATE);
                metrics.request(
                        template == null ? "other" : template,
                        context.request().method().name(),
                        context.response().getStatusCode(),
                        System.nanoTime() - startNanos);
            });
            context.next();
        });
    }
}
