/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import io.fpmplanner.service.config.HostPorts;
import io.fpmplanner.service.config.NatsSource;
import io.fpmplanner.service.config.SourceSpec;
import io.fpmplanner.service.config.TcpSource;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.zeromq.ZContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a relay until it is told to stop. */
@Command(
        name = "relay",
        description = "Passes FPM messages on, untouched, from beside an engine to a planner elsewhere.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "The planner has tcp+bind://ADDRESS:PORT among its sources. Over NATS, payloads travel in the envelope of Dynamo's"
                    + " event plane.",
            "Messages are dropped, and counted, while the other side is away. SIGTERM ends the relay with a line of counts."
        })
public final class RelayCommand implements Callable<Integer> {
    private static final int PUBLISHER_ID_BITS = 53;
    private static final long END_SECONDS = 5;

    @Option(
            names = "--from",
            required = true,
            paramLabel = "SOURCE",
            description =
                    "Publishers to subscribe to, e.g. tcp://127.0.0.1:20380-20387 or ipc:///run/fpm.*; may be repeated.")
    private List<String> from = List.of();

    @Option(
            names = "--to",
            required = true,
            paramLabel = "TARGET",
            description = "Where to: tcp://HOST:PORT of a planner, or nats://HOST:PORT/SUBJECT; may be repeated.")
    private List<String> to = List.of();

    @Option(
            names = "--high-water-mark",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Messages that may wait per endpoint before some are dropped; 1 to 1000000, by default 1000.")
    private int highWaterMark;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        try (ZContext context = new ZContext(1)) {
            Relay relay = new Relay(lines(context), text -> say(err, text));
            CountDownLatch ended = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> endBySignal(relay, ended), "planner-shutdown"));
            say(err, "relaying " + String.join(", ", from) + " to " + String.join(", ", to));
            relay.run();
            err.print(relay.counts());
            err.flush();
            ended.countDown();
        }
        return CommandLine.ExitCode.OK;
    }

    private static void say(PrintWriter err, String text) {
        err.println("relay: " + text);
        err.flush();
    }

    /* As the service does: a process that ends by SIGTERM would exit with 143, which supervisors take for a failure. */
    private static void endBySignal(Relay relay, CountDownLatch ended) {
        relay.stop();
        try {
            if (ended.await(END_SECONDS, TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<RelayLine> lines(ZContext context) {
        try {
            context.setLinger(0);
            RelaySettings settings = new RelaySettings(highWaterMark);
            List<SourceSpec> targets = to.stream().map(SourceSpec::parse).toList();
            targets.forEach(RelayCommand::requireTarget);
            List<RelayLine> lines = new ArrayList<>();
            for (String source : from) {
                for (String endpoint : endpoints(SourceSpec.parse(source))) {
                    lines.add(new RelayLine(
                            new ZmqInlet(context, endpoint, settings), outlets(targets, context, settings)));
                }
            }
            return lines;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static List<String> endpoints(SourceSpec source) {
        if (source instanceof TcpSource tcp) {
            HostPorts target = tcp.target();
            List<String> endpoints = new ArrayList<>();
            for (int port = target.firstPort(); port <= target.lastPort(); port++) {
                endpoints.add(endpoint(target, port));
            }
            return endpoints;
        }
        throw new IllegalArgumentException(
                "--from must be tcp://HOST:PORT, tcp://HOST:FIRST-LAST or ipc:///PATH, was '" + source + "'");
    }

    private static String endpoint(HostPorts target, int port) {
        return "tcp://" + new HostPorts(target.host(), port, port);
    }

    private static void requireTarget(SourceSpec target) {
        boolean planner = target instanceof TcpSource tcp && tcp.target().ports() == 1;
        boolean nats = target instanceof NatsSource source && !source.subject().isPattern();
        if (!planner && !nats) {
            throw new IllegalArgumentException(
                    "--to must be tcp://HOST:PORT or nats://HOST:PORT/SUBJECT without wildcards, was '" + target + "'");
        }
    }

    private static List<Outlet> outlets(List<SourceSpec> targets, ZContext context, RelaySettings settings) {
        List<Outlet> outlets = new ArrayList<>();
        for (SourceSpec target : targets) {
            if (target instanceof NatsSource nats) {
                long publisherId = new SecureRandom().nextLong() >>> (Long.SIZE - PUBLISHER_ID_BITS);
                outlets.add(new NatsOutlet(
                        nats.server().toString(), nats.subject().text(), publisherId, System::currentTimeMillis));
            } else {
                outlets.add(new ZmqOutlet(context, target.toString(), settings));
            }
        }
        return outlets;
    }
}
