/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import io.fpmplanner.sim.board.Standings.Row;
import io.fpmplanner.sim.board.Standings.Stage;
import io.fpmplanner.sim.policy.Baselines;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** How near policies come to what can be had at all, as cells, headings first. Threadsafe. */
public final class BoundRows {
    /** What a share of good requests, of those that could be saved, has to reach. */
    private static final double TARGET = 0.95;

    private BoundRows() {}

    /**
     * Good requests of each real policy for each that the reference without foresight has: 1 means that nothing was lost but
     * what came before the first replica ordered for it could be ready. Empty unless that reference was played.
     */
    public static List<List<String>> savable(Standings standings) {
        return rows(
                standings, Baselines.PROMPT, "prompt good", reference -> percent(reference.goodRate()), Row::goodRate);
    }

    /** GPU time of each real policy for each hour of the oracle's. Empty unless that was played. */
    public static List<List<String>> gpuHours(Standings standings) {
        return rows(standings, Baselines.ORACLE, "oracle good", oracle -> percent(oracle.goodRate()), Row::gpuHours);
    }

    /** Stages where a policy has fewer good requests than it should of those that could be saved; as savable. */
    public static List<String> shortfalls(Standings standings, String policyId) {
        List<String> names = new ArrayList<>();
        for (Stage stage : standings.stages()) {
            Optional<Row> reference = row(stage, Baselines.PROMPT);
            Optional<Row> row = row(stage, policyId);
            if (reference.isPresent() && row.isPresent()) {
                double share =
                        row.get().goodRate() / Math.max(1e-9, reference.get().goodRate());
                if (share < TARGET) {
                    names.add(String.format(
                            Locale.ROOT, "%s (%s) %s", stage.scenario(), stage.topology(), percent(share)));
                }
            }
        }
        return names;
    }

    private static List<List<String>> rows(
            Standings standings,
            String referenceId,
            String heading,
            Function<Row, String> shown,
            ToDoubleFunction<Row> figure) {
        List<List<String>> rows = new ArrayList<>();
        for (Stage stage : standings.stages()) {
            Optional<Row> reference = row(stage, referenceId);
            if (reference.isEmpty()) {
                return List.of();
            }
            List<Row> real = stage.rows().stream().filter(Row::real).toList();
            if (rows.isEmpty()) {
                List<String> headings = new ArrayList<>(List.of("stage", heading));
                real.forEach(row -> headings.add(row.policyId()));
                rows.add(headings);
            }
            double whole = Math.max(1e-9, figure.applyAsDouble(reference.get()));
            List<String> cells = new ArrayList<>(
                    List.of(stage.scenario() + " (" + stage.topology() + ")", shown.apply(reference.get())));
            real.forEach(row -> cells.add(String.format(Locale.ROOT, "%.3f", figure.applyAsDouble(row) / whole)));
            rows.add(cells);
        }
        return rows;
    }

    private static Optional<Row> row(Stage stage, String policyId) {
        return stage.rows().stream()
                .filter(row -> row.policyId().equals(policyId))
                .findFirst();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }
}
