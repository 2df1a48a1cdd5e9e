/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The rows of the board as cells: headings first, the policy's name first. Threadsafe. */
public final class BoardRows {
    private BoardRows() {}

    /** One scenario. */
    public static List<List<String>> of(Standings.Stage stage) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "policy",
                "good",
                "good/GPU-s",
                "rank",
                "GPU-h",
                "TTFT s p50/p90/p99",
                "ITL ms p50/p90/p99",
                "scale",
                "reversals"));
        for (Standings.Row row : stage.rows()) {
            rows.add(List.of(
                    row.policyId(),
                    number("%.2f%%", 100 * row.goodRate()),
                    number("%.4f", row.goodputPerGpu()),
                    row.real() ? number("%.1f", row.rank()) : "-",
                    number("%.3f", row.gpuHours()),
                    latency(row.ttft(), 1, "%.2f"),
                    latency(row.itl(), 1000, "%.1f"),
                    number("%.1f", row.scaleEvents()),
                    number("%.1f", row.reversals())));
        }
        return rows;
    }

    /** All scenarios of a topology. */
    public static List<List<String>> of(Standings.Total total) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("policy", "good/GPU-s", "mean rank", "win rate", "good", "mean GPUs", "scale", "reversals"));
        for (Standings.Line line : total.lines()) {
            rows.add(List.of(
                    line.policyId(),
                    number("%.4f", line.goodputPerGpu()),
                    optional(line.meanRank(), 1, "%.2f"),
                    optional(line.winRate(), 1, "%.3f"),
                    number("%.2f%%", 100 * line.goodRate()),
                    number("%.2f", line.gpus()),
                    number("%.1f", line.scaleEvents()),
                    number("%.1f", line.reversals())));
        }
        return rows;
    }

    private static String latency(RunScore.Latency latency, double unit, String format) {
        return optional(latency.p50Seconds(), unit, format) + "/" + optional(latency.p90Seconds(), unit, format) + "/"
                + optional(latency.p99Seconds(), unit, format);
    }

    private static String optional(OptionalDouble value, double unit, String format) {
        return value.isPresent() ? number(format, value.getAsDouble() * unit) : "-";
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
