/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The process that does nothing but sleep a millisecond at a time and note how late it wakes: what the machine does to
 * whoever waits for one of its processors. Prints "ready"; the line "begin" forgets what was noted, "end" is answered with
 * "woke TIMES P50 P99 LONGEST" in milliseconds.
 */
@Command(name = "hiccups", hidden = true)
final class HiccupCommand implements Callable<Integer> {
    static final String BEGIN = "begin";
    static final String END = "end";
    static final String READY = "ready";
    private static final long SLEEP_NANOS = 1_000_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private Latencies late = new Latencies();

    @Override
    public Integer call() throws IOException {
        Thread sleeper = new Thread(this::sleep, "hiccups");
        sleeper.setDaemon(true);
        sleeper.start();
        PrintWriter out = spec.commandLine().getOut();
        say(out, READY);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Latencies noted = forget();
            if (line.equals(END)) {
                say(
                        out,
                        "woke " + noted.count() + " " + noted.percentileMillis(0.5) + " " + noted.percentileMillis(0.99)
                                + " " + noted.percentileMillis(1));
            }
        }
        return 0;
    }

    private void sleep() {
        while (true) {
            long start = System.nanoTime();
            LockSupport.parkNanos(SLEEP_NANOS);
            note(System.nanoTime() - start - SLEEP_NANOS);
        }
    }

    private synchronized void note(long nanos) {
        late.add(nanos);
    }

    private synchronized Latencies forget() {
        Latencies noted = late;
        late = new Latencies();
        return noted;
    }

    private static void say(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }
}
