/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The process that publishes for a row: prints its addresses and "bound"; once all have subscribers "subscribed"; then
 * each line "RATE SECONDS" that it reads is a stretch of publishing, answered with "sent FRAMES DROPPED" in all so far.
 */
@Command(name = "publish", hidden = true)
final class PublishCommand implements Callable<Integer> {
    @Option(names = "--sockets", defaultValue = "1")
    private int sockets;

    @Option(names = "--workers", defaultValue = "1")
    private int workers;

    @Option(names = "--directory")
    private Optional<Path> directory = Optional.empty();

    @Option(names = "--high-water-mark", defaultValue = "1000")
    private int highWaterMark;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        // While it waits for subscribers it would not hear that whoever started it is gone.
        ProcessHandle.current().parent().ifPresent(PublishCommand::endWith);
        PrintWriter out = spec.commandLine().getOut();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (LoadPublisher publisher =
                new LoadPublisher(new LoadPublisher.Shape(sockets, workers, directory, highWaterMark))) {
            publisher.addresses().forEach(out::println);
            say(out, "bound");
            publisher.awaitSubscribers();
            say(out, "subscribed");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", 2);
                LoadPublisher.Sent sent = publisher.publish(Double.parseDouble(words[0]), Double.parseDouble(words[1]));
                say(out, "sent " + sent.frames() + " " + sent.dropped());
            }
        }
        return 0;
    }

    private static void say(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }

    private static void endWith(ProcessHandle owner) {
        Thread watch = new Thread(() -> {
            owner.onExit().join();
            Runtime.getRuntime().halt(1);
        });
        watch.setDaemon(true);
        watch.start();
    }
}
