/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import io.fpmplanner.sim.board.RunResult;
import io.fpmplanner.sim.board.RunScore;
import io.fpmplanner.sim.board.Standings;
import io.fpmplanner.sim.board.Standings.Row;
import java.util.Locale;
import java.util.OptionalDouble;

/** The board for people, in columns. */
final class BoardText {
    private static final String HEADING = String.format(
            Locale.ROOT,
            "%-19s %8s %9s %8s %24s %20s %6s %5s%n",
            "policy",
            "good",
            "good/GPUs",
            "GPU h",
            "TTFT s p50/p90/p99",
            "ITL ms p50/p90/p99",
            "scale",
            "rev");

    private static final String TOTAL_HEADING = String.format(
            Locale.ROOT,
            "%-19s %9s %10s %9s %8s %9s %6s %5s%n",
            "policy",
            "good/GPUs",
            "mean rank",
            "win rate",
            "good",
            "mean GPUs",
            "scale",
            "rev");

    private BoardText() {}

    static String of(Standings standings) {
        StringBuilder text = new StringBuilder();
        for (Standings.Stage stage : standings.stages()) {
            text.append(String.format(Locale.ROOT, "%n%s (%s)%n", stage.scenario(), stage.topology()));
            text.append(HEADING);
            stage.rows().forEach(row -> text.append(line(row)));
        }
        standings.totals().forEach(total -> append(text, total));
        return text.toString();
    }

    private static void append(StringBuilder text, Standings.Total total) {
        text.append(String.format(Locale.ROOT, "%nAll %d scenarios (%s)%n", total.scenarios(), total.topology()));
        text.append(TOTAL_HEADING);
        for (Standings.Line line : total.lines()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-19s %9.4f %10s %9s %7.2f%% %9.2f %6.1f %5.1f%n",
                    line.policyId(),
                    line.goodputPerGpu(),
                    part(line.meanRank(), 1, "%.2f"),
                    part(line.winRate(), 1, "%.3f"),
                    100 * line.goodRate(),
                    line.gpus(),
                    line.scaleEvents(),
                    line.reversals()));
        }
    }

    private static String line(Row row) {
        return String.format(
                Locale.ROOT,
                "%-19s %7.2f%% %9.4f %8.3f %24s %20s %6.1f %5.1f%n",
                row.policyId(),
                100 * row.goodRate(),
                row.goodputPerGpu(),
                row.gpuHours(),
                latency(row.ttft(), 1, "%.2f"),
                latency(row.itl(), 1000, "%.1f"),
                row.scaleEvents(),
                row.reversals());
    }

    private static String latency(RunScore.Latency latency, double unit, String format) {
        return part(latency.p50Seconds(), unit, format) + "/" + part(latency.p90Seconds(), unit, format) + "/"
                + part(latency.p99Seconds(), unit, format);
    }

    private static String part(OptionalDouble seconds, double unit, String format) {
        return seconds.isPresent() ? String.format(Locale.ROOT, format, seconds.getAsDouble() * unit) : "-";
    }

    static String progress(int done, int runs, RunResult result) {
        return String.format(
                Locale.ROOT,
                "%d of %d: %s (%s), %s, seed %d: %.1f %% good",
                done,
                runs,
                result.runCase().scenario().name(),
                result.runCase().topology().word(),
                result.runCase().policyId(),
                result.runCase().seed(),
                100 * result.score().goodRate());
    }
}
