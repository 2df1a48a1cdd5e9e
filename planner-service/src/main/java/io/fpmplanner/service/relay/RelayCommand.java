/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import io.fpmplanner.service.config.IpcSource;
import io.fpmplanner.service.config.NatsSource;
import io.fpmplanner.service.config.SourceSpec;
import io.fpmplanner.service.config.TcpSource;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        Relay relay = new Relay(
                parse(from, RelayCommand::requireSource),
                parse(to, RelayCommand::requireTarget),
                text -> say(err, text));
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endBySignal(relay, ended), "planner-shutdown"));
        say(err, "relaying " + String.join(", ", from) + " to " + String.join(", ", to));
        relay.run();
        relay.counts().forEach(err::println);
        err.flush();
        ended.countDown();
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

    private List<SourceSpec> parse(List<String> entries, Consumer<SourceSpec> check) {
        try {
            List<SourceSpec> specs = entries.stream().map(SourceSpec::parse).toList();
            specs.forEach(check);
            return specs;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static void requireSource(SourceSpec source) {
        if (!(source instanceof TcpSource) && !(source instanceof IpcSource)) {
            throw new IllegalArgumentException(
                    "--from must be tcp://HOST:PORT, tcp://HOST:FIRST-LAST or ipc:///PATH, was '" + source + "'");
        }
    }

    private static void requireTarget(SourceSpec target) {
        boolean planner = target instanceof TcpSource tcp && tcp.target().ports() == 1;
        boolean nats = target instanceof NatsSource source && !source.subject().isPattern();
        if (!planner && !nats) {
            throw new IllegalArgumentException(
                    "--to must be tcp://HOST:PORT or nats://HOST:PORT/SUBJECT without wildcards, was '" + target + "'");
        }
    }
}
