/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import io.fpmplanner.service.process.OwnJava;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Time from starting the JVM to the first 200 of {@code /readyz}, without the launcher, and with an archive of classes;
 * beside it how long this machine takes to start a JVM at all, and the least server of the same kind.
 */
final class StartRow {
    private static final int STARTS = 5;
    private static final long GIVE_UP_SECONDS = 60;

    private StartRow() {}

    static Figures run(Effort effort) throws Exception {
        int starts = effort.of(STARTS);
        Figures figures = new Figures();
        double hello = median(starts, StartRow::hello);
        double plain = median(starts, () -> serve(Child.AS_SERVED));
        figures.put("java -version, s", median(starts, StartRow::version))
                .put("Vert.x hello, s", hello)
                .put("plain, s", plain)
                .put("plain, times Vert.x hello", plain / hello);
        String classPath = System.getProperty("java.class.path");
        if (!classPath.endsWith(".jar") || classPath.contains(java.io.File.pathSeparator)) {
            return figures;
        }
        Path directory = Files.createTempDirectory("fpm-bench");
        Path archive = directory.resolve("planner.archive");
        boolean cache = Runtime.version().feature() >= 25;
        try (Child training = Child.start(
                with(cache ? "-XX:AOTCacheOutput=" + archive : "-XX:ArchiveClassesAtExit=" + archive),
                List.of("train"))) {
            training.await();
        }
        figures.put("archive, MB", Files.size(archive) / 1e6);
        figures.put(
                "with archive, s",
                median(starts, () -> serve(with((cache ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + archive))));
        Files.deleteIfExists(archive);
        Files.deleteIfExists(directory);
        return figures;
    }

    private static List<String> with(String option) {
        List<String> options = new ArrayList<>(Child.AS_SERVED);
        options.add(option);
        return options;
    }

    private static double median(int starts, Callable<Double> start) throws Exception {
        List<Double> seconds = new ArrayList<>();
        for (int i = 0; i < starts; i++) {
            seconds.add(start.call());
        }
        seconds.sort(null);
        return seconds.get(starts / 2);
    }

    private static double version() throws IOException, InterruptedException {
        List<String> command = List.of(Child.java(Child.AS_SERVED).get(0), "-version");
        long start = System.nanoTime();
        quiet(command).start().waitFor();
        return (System.nanoTime() - start) / 1e9;
    }

    private static double hello() throws IOException, InterruptedException {
        List<String> command = OwnJava.command(Child.AS_SERVED, Hello.class.getName());
        int port = freePort();
        command.add(Integer.toString(port));
        return toFirstAnswer(quiet(command), port);
    }

    private static double serve(List<String> options) throws IOException, InterruptedException {
        int port = freePort();
        List<String> command = Child.java(options);
        command.addAll(List.of("serve", "--set", "http.port=" + port));
        ProcessBuilder builder = quiet(command);
        builder.environment().put("PLANNER_POOLS_0_ID", "bench");
        builder.environment().put("PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1");
        return toFirstAnswer(builder, port);
    }

    private static ProcessBuilder quiet(List<String> command) {
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private static double toFirstAnswer(ProcessBuilder builder, int port) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process process = builder.start();
        try {
            while (!isReady(port)) {
                if (!process.isAlive() || System.nanoTime() - start > GIVE_UP_SECONDS * 1_000_000_000L) {
                    throw new IOException("a server did not start");
                }
                Thread.sleep(1);
            }
            return (System.nanoTime() - start) / 1e9;
        } finally {
            process.destroy();
            process.waitFor(GIVE_UP_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static boolean isReady(int port) {
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create("http://127.0.0.1:" + port + "/readyz").toURL().openConnection();
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }
}
