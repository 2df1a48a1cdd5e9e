/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Comparisons of several runs as a table for people. */
public final class LogComparisons {
    /** Medians are to lie within these shares of the real ones. */
    public static final double TTFT_TOLERANCE = 0.25;

    public static final double TPOT_TOLERANCE = 0.10;

    private static final int DEEPEST = 4;

    private LogComparisons() {}

    /**
     * Simulates all runs below a directory.
     *
     * @param root a directory with {@code requests.jsonl} in it, or with such directories below it
     * @return one comparison a run, by the names of their directories
     * @throws IOException when there is none or one cannot be read; the message says which and why
     */
    public static List<LogComparison> below(Path root) throws IOException {
        List<Path> runs;
        try (Stream<Path> files = Files.find(
                root, DEEPEST, (file, attributes) -> file.endsWith("requests.jsonl") && attributes.isRegularFile())) {
            runs = files.map(Path::toAbsolutePath).map(Path::getParent).sorted().toList();
        }
        if (runs.isEmpty()) {
            throw new IOException("no requests.jsonl in or below " + root);
        }
        List<LogComparison> comparisons = new ArrayList<>();
        for (Path run : runs) {
            comparisons.add(LogComparison.of(run));
        }
        return comparisons;
    }

    /** One line a run: real and simulated medians, and how far medians and 90th percentiles are apart. */
    public static String table(List<LogComparison> comparisons) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%-26s %8s  %22s %7s %7s  %22s %7s %7s  %15s  %s%n",
                "run",
                "requests",
                "TTFT p50 s real / sim",
                "p50",
                "p90",
                "TPOT p50 ms real / sim",
                "p50",
                "p90",
                "span s real/sim",
                "kernel times"));
        for (LogComparison run : comparisons) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-26s %8d  %10.2f / %9.2f %s %s  %10.1f / %9.1f %s %s  %7.0f/%7.0f  %s%n",
                    run.run(),
                    run.requests(),
                    run.ttft().realP50Seconds(),
                    run.ttft().simulatedP50Seconds(),
                    percent(run.ttft().atMedian()),
                    percent(run.ttft().atP90()),
                    1e3 * run.tpot().realP50Seconds(),
                    1e3 * run.tpot().simulatedP50Seconds(),
                    percent(run.tpot().atMedian()),
                    percent(run.tpot().atP90()),
                    run.realMakespanSeconds(),
                    run.simulatedMakespanSeconds(),
                    run.platform()));
        }
        return text.toString();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%+6.1f%%", 100 * share);
    }
}
