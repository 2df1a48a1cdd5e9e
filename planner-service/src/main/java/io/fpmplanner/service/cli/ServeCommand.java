/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.cli;

import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.StartException;
import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs the service until it is told to stop. */
@Command(
        name = "serve",
        description = "Runs the service: subscribes to the sources and answers on the REST interface.",
        mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
    @Mixin
    private final ConfigOptions options = new ConfigOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return serve(options, spec.commandLine().getErr());
    }

    /** Runs the service; returns only if it cannot start, what to exit with. */
    static int serve(ConfigOptions options, PrintWriter err) throws InterruptedException {
        Preloading.start();
        PlannerService service;
        try {
            ConfigLoader.Resolved resolved = options.load(System.getenv());
            Logger log = LoggerFactory.getLogger(ServeCommand.class);
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
        Logger log = LoggerFactory.getLogger(ServeCommand.class);
        log.atInfo().log("stopping");
        service.close();
        log.atInfo().log("stopped");
        Runtime.getRuntime().halt(0);
    }
}
