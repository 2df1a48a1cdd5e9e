/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import io.fpmplanner.service.process.OwnJava;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that runs a command of this program on the same JDK and class path. Ends with its owner. */
final class Child implements AutoCloseable {
    /** Options of the JVM that the launcher gives the service. */
    static final List<String> AS_SERVED =
            List.of("-XX:+UseSerialGC", "-Xms64m", "-Xmx512m", "-XX:NewRatio=1", "-XX:SurvivorRatio=3");

    private static final long END_SECONDS = 5;

    private final Process process;
    private final BufferedReader out;
    private final Writer in;

    private Child(Process process) {
        this.process = process;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.US_ASCII);
    }

    /**
     * Starts a command.
     *
     * @param options for its JVM
     * @param arguments of the command line
     */
    static Child start(List<String> options, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(java(options));
        command.addAll(arguments);
        return new Child(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** How this program is started, up to the arguments of the command line. */
    static List<String> java(List<String> options) {
        return OwnJava.command(options, "io.fpmplanner.service.cli.Main");
    }

    /** The next line it prints; throws when there is none any more. */
    String line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("a process of the bench ended early");
        }
        return line;
    }

    /** The lines up to the one that is just that word. */
    List<String> linesUntil(String word) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = line(); !line.equals(word); line = line()) {
            lines.add(line);
        }
        return lines;
    }

    /** Sends it a line. */
    void tell(String line) throws IOException {
        in.write(line + "\n");
        in.flush();
    }

    /** Waits for its end; returns its exit status. */
    int await() throws InterruptedException {
        return process.waitFor();
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        try {
            in.close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
