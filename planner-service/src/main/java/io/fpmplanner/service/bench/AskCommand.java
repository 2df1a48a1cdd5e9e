/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The process that asks for predictions over HTTP at an even rate, over connections that are kept, each on a thread of its
 * own. Prints "asked ANSWERS ERRORS P50 P99 P99.9" with the milliseconds from sending to the end of the answer.
 */
@Command(name = "ask", hidden = true)
final class AskCommand implements Callable<Integer> {
    private static final int CONNECTIONS = 10;
    private static final String BODY = "{\"inputTokens\": 1000}";

    @Option(names = "--port", required = true)
    private int port;

    @Option(names = "--pool", required = true)
    private String pool = "";

    @Option(names = "--rate", required = true)
    private double requestsPerSecond;

    @Option(names = "--warm-up", required = true)
    private double warmUpSeconds;

    @Option(names = "--seconds", required = true)
    private double seconds;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private final Latencies latencies = new Latencies();
    private long errors;

    @Override
    public Integer call() throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        long startNanos = System.nanoTime();
        for (int i = 0; i < CONNECTIONS; i++) {
            long offsetNanos = (long) (i * 1e9 / requestsPerSecond);
            threads.execute(() -> ask(startNanos + offsetNanos));
        }
        threads.shutdown();
        boolean ended = threads.awaitTermination((long) (warmUpSeconds + seconds) + 30, TimeUnit.SECONDS);
        PrintWriter out = spec.commandLine().getOut();
        out.println("asked " + latencies.count() + " " + errors + " " + latencies.percentileMillis(0.5) + " "
                + latencies.percentileMillis(0.99) + " " + latencies.percentileMillis(0.999));
        out.flush();
        return ended ? 0 : 1;
    }

    private void ask(long startNanos) {
        byte[] request = ("POST /v1/pools/" + pool + "/predictions HTTP/1.1\r\nHost: localhost\r\n"
                        + "Content-Type: application/json\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY)
                .getBytes(StandardCharsets.US_ASCII);
        long period = (long) (CONNECTIONS * 1e9 / requestsPerSecond);
        long countFrom = startNanos + (long) (warmUpSeconds * 1e9);
        long until = countFrom + (long) (seconds * 1e9);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (long due = startNanos; due < until; due += period) {
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                long sentNanos = System.nanoTime();
                socket.getOutputStream().write(request);
                boolean fine = readAnswer(in);
                if (due >= countFrom) {
                    note(System.nanoTime() - sentNanos, fine);
                }
            }
        } catch (IOException e) {
            note(0, false);
        }
    }

    private synchronized void note(long nanos, boolean fine) {
        if (fine) {
            latencies.add(nanos);
        } else {
            errors++;
        }
    }

    /** Reads one answer to its end; returns whether its status is 200. */
    private static boolean readAnswer(InputStream in) throws IOException {
        String status = line(in);
        int length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring("content-length:".length()).trim());
            }
        }
        in.skipNBytes(length);
        return status.startsWith("HTTP/1.1 200");
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the connection was closed");
            }
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }
}
