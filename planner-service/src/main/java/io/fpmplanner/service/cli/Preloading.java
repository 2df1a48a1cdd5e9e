/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.cli;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import org.slf4j.LoggerFactory;

/**
 * Loads the classes that a service will need while the configuration is still being read, on a thread of its own: most of
 * the time to the first answer is spent on loading classes, and there is a second core.
 */
final class Preloading {
    private Preloading() {}

    /** Begins; whatever goes wrong is left to those who need the classes. */
    static void start() {
        Thread thread = new Thread(Preloading::load, "planner-preloading");
        thread.setDaemon(true);
        thread.start();
    }

    private static void load() {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
        try {
            Router.router(vertx);
            vertx.createHttpServer(new HttpServerOptions());
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT).close();
            LoggerFactory.getLogger(Preloading.class);
        } finally {
            vertx.close();
        }
    }
}
