/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.service.StartException;
import io.fpmplanner.service.config.HttpSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows the planner at work on simulated engines. */
@Command(
        name = "demo",
        description = "Runs the planner beside simulated engines that publish over ZeroMQ, and lets them follow its"
                + " recommendations. The load rises and falls within two minutes, on an aggregated pool and on a"
                + " prefill/decode pair. Needs no file and no GPU.",
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
    private static final int PORTS_TO_TRY = 100;
    private static final long LINES_EVERY_SECONDS = 10;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port of the live page and the REST interface; 8080, or the next free one, if not given.")
    private @Nullable Integer port;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Stop after N seconds with a summary; endless if not given.")
    private @Nullable Integer seconds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of load and engines (default 1).")
    private long seed;

    @Option(
            names = "--json",
            description = "With --seconds: print one JSON document at the end and nothing else to standard output.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptions();
        quietSources();
        PrintWriter err = spec.commandLine().getErr();
        PrintWriter progress = json ? err : spec.commandLine().getOut();
        try (Demo demo = Demo.start(port == null ? freePort(progress) : port, seed)) {
            Thread onSignal = new Thread(() -> stop(demo, progress), "demo-shutdown");
            Runtime.getRuntime().addShutdownHook(onSignal);
            progress.println("Live page: " + demo.url() + "/   REST: " + demo.url() + "/v1/pools");
            progress.println("Predicted: for a request that arrives now. Measured: median of the last 10 s."
                    + " Replicas: ready+pending -> desired.");
            progress.flush();
            boolean well = run(demo, progress);
            finish(demo, progress);
            Runtime.getRuntime().removeShutdownHook(onSignal);
            return well ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (StartException e) {
            err.println("planner: " + e.getMessage());
            return ExitCode.SOFTWARE;
        }
    }

    private void checkOptions() {
        if (port != null && (port < 0 || port > 65_535)) {
            throw new ParameterException(spec.commandLine(), "--port must lie between 0 and 65535, was " + port);
        }
        if (seconds != null && seconds < 1) {
            throw new ParameterException(spec.commandLine(), "--seconds must be at least 1, was " + seconds);
        }
        if (json && seconds == null) {
            throw new ParameterException(spec.commandLine(), "--json needs --seconds: it prints when the demo is over");
        }
    }

    /** Most of the ports where replicas may appear do not answer, and others come and go: that is no news here. */
    private static void quietSources() {
        if (System.getProperty("planner.log.level") == null
                && LoggerFactory.getLogger("io.fpmplanner.service.source") instanceof Logger sources) {
            sources.setLevel(Level.ERROR);
        }
    }

    /** The default port or the next one that is free. */
    private static int freePort(PrintWriter progress) throws IOException {
        int first = HttpSettings.defaults().port();
        for (int candidate = first; candidate < first + PORTS_TO_TRY; candidate++) {
            ServerSocket probe = DemoPorts.bind(candidate);
            if (probe != null) {
                probe.close();
                if (candidate != first) {
                    progress.println("Port " + first + " is taken, using " + candidate + ".");
                }
                return candidate;
            }
        }
        throw new IOException("no free port between " + first + " and " + (first + PORTS_TO_TRY - 1));
    }

    /** Prints now and then until the time is over; false when the simulation broke down. */
    private boolean run(Demo demo, PrintWriter progress) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        double endSeconds = seconds == null ? Double.POSITIVE_INFINITY : seconds;
        for (double next = LINES_EVERY_SECONDS; ; next += LINES_EVERY_SECONDS) {
            double untilSeconds = Math.min(next, endSeconds);
            never.await((long) (1e3 * (untilSeconds - demo.elapsedSeconds())), TimeUnit.MILLISECONDS);
            Optional<Throwable> failure = demo.failure();
            if (failure.isPresent()) {
                spec.commandLine().getErr().println("planner: the simulated side stopped: " + failure.get());
                return false;
            }
            progress.print(DemoReport.lines(demo));
            progress.flush();
            if (untilSeconds >= endSeconds) {
                return true;
            }
        }
    }

    /** On a signal, which is how an endless demo ends: that is no failure, though the JVM would exit with 143. */
    private void stop(Demo demo, PrintWriter progress) {
        finish(demo, progress);
        demo.close();
        Runtime.getRuntime().halt(ExitCode.OK);
    }

    private void finish(Demo demo, PrintWriter progress) {
        ObjectNode summary = DemoReport.summary(demo);
        progress.print(DemoReport.summaryText(summary));
        progress.flush();
        if (json) {
            spec.commandLine().getOut().println(summary);
            spec.commandLine().getOut().flush();
        }
    }
}
