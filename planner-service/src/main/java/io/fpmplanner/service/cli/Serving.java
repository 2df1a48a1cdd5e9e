/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.cli;

import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.StartException;
import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The service as a process, without anything of picocli. */
final class Serving {
    private Serving() {}

    /** Runs the service and returns what to exit with; faults are told on standard error. */
    static int run(ConfigOptions options) {
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        try {
            return serve(options, err);
        } catch (InterruptedException e) {
            return Main.FAILURE;
        } catch (RuntimeException e) {
            err.println("planner: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
            return Main.FAILURE;
        } catch (Error fault) {
            // Threads of Vert.x would keep a process alive of which nothing can be expected any more.
            fault.printStackTrace();
            return Main.FAILURE;
        }
    }

    /** Runs the service; returns only if it cannot start, what to exit with. */
    static int serve(ConfigOptions options, PrintWriter err) throws InterruptedException {
        Preloading.start();
        PlannerService service;
        try {
            ConfigLoader.Resolved resolved = options.load(System.getenv());
            Logger log = LoggerFactory.getLogger(Serving.class);
            resolved.warnings().forEach(warning -> log.atWarn().log(warning));
            service = PlannerService.start(resolved.config());
        } catch (ConfigException e) {
            e.problems().forEach(problem -> err.println("config: " + problem));
            return Main.BAD_INPUT;
        } catch (StartException e) {
            err.println("planner: " + e.getMessage());
            return Main.FAILURE;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(service), "planner-shutdown"));
        new CountDownLatch(1).await();
        return 0;
    }

    /*
     * A JVM that ends by SIGTERM exits with 143, which supervisors take for a failure. The hook is only installed once the
     * service runs, and then nothing but a signal ends the process, so 0 is the truth.
     */
    private static void stop(PlannerService service) {
        Logger log = LoggerFactory.getLogger(Serving.class);
        log.atInfo().log("stopping");
        service.close();
        log.atInfo().log("stopped");
        Runtime.getRuntime().halt(0);
    }
}
