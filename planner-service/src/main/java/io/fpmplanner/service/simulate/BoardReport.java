/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import io.fpmplanner.service.page.Markup;
import io.fpmplanner.service.page.PageHead;
import io.fpmplanner.sim.board.BoardRows;
import io.fpmplanner.sim.board.RunResult;
import io.fpmplanner.sim.board.Standings;
import io.fpmplanner.sim.board.Timeline;
import io.fpmplanner.sim.policy.Contender;
import io.fpmplanner.sim.scenario.Scenario;
import java.util.List;
import java.util.Locale;

/** The board as one page without scripts that asks no other file or host. */
final class BoardReport {
    private static final String STYLE_SHEET = "board.css";

    private final Markup page = new Markup();
    private final Standings standings;
    private final List<RunResult> results;
    private final List<Contender> contenders;

    private BoardReport(Standings standings, List<RunResult> results, List<Contender> contenders) {
        this.standings = standings;
        this.results = results;
        this.contenders = contenders;
    }

    static String of(Standings standings, List<RunResult> results, List<Contender> contenders) {
        return new BoardReport(standings, results, contenders).write();
    }

    private String write() {
        page.open("html", "lang", "en");
        PageHead.write(page, "Autoscalers in simulation", BoardReport.class, STYLE_SHEET);
        page.open("body").open("main");
        page.element("h1", "Autoscalers in simulation");
        long seeds =
                results.stream().map(run -> run.runCase().seed()).distinct().count();
        page.element("p", reading(seeds), "class", "soft");
        standings.totals().forEach(this::total);
        page.open("dl");
        for (Contender contender : contenders) {
            page.element("dt", contender.id()).element("dd", contender.title());
        }
        page.close();
        standings.stages().forEach(this::stage);
        page.close().close().close();
        return page.page();
    }

    private static String reading(long seeds) {
        return "Means over " + seeds + (seeds == 1 ? " seed" : " seeds")
                + ". A request is good if its time to first token and its mean time between tokens keep their limits; refused"
                + " and unfinished ones are bad. GPU time counts replicas starting, serving and draining. Ranks compare good"
                + " requests per GPU-second; policies that know the future are bounds and have none. Timelines show the first"
                + " seed; latencies over three times their limit are drawn at the edge; vertical lines are decisions.";
    }

    private void total(Standings.Total total) {
        page.open("section");
        page.element("h2", "All " + total.scenarios() + " scenarios, " + total.topology());
        table(BoardRows.of(total));
        page.close();
    }

    private void stage(Standings.Stage stage) {
        List<RunResult> runs = results.stream()
                .filter(run -> run.runCase().scenario().name().equals(stage.scenario())
                        && run.runCase().topology().word().equals(stage.topology()))
                .toList();
        Scenario scenario = runs.get(0).runCase().scenario();
        page.open("section", "id", stage.scenario() + "-" + stage.topology());
        page.element("h2", stage.scenario() + ", " + stage.topology());
        page.element("p", scenario.title(), "class", "soft");
        table(BoardRows.of(stage));
        long firstSeed = runs.get(0).runCase().seed();
        for (RunResult run : runs) {
            if (run.runCase().seed() == firstSeed) {
                run(run);
            }
        }
        page.close();
    }

    private void run(RunResult run) {
        String policy = run.runCase().policyId();
        page.open("details");
        page.element(
                "summary",
                String.format(
                        Locale.ROOT,
                        "%s: %.1f %% good, %.3f GPU-hours, %d scale events",
                        policy,
                        100 * run.score().goodRate(),
                        run.score().gpuHours(),
                        run.score().scaleEvents()));
        new TimelineChart(page, run.timeline(), run.runCase().scenario().objective())
                .draw("Timeline of " + run.runCase().scenario().name() + " with " + policy);
        decisions(run.timeline().decisions());
        page.close();
    }

    private void decisions(List<Timeline.Change> changes) {
        if (changes.isEmpty()) {
            return;
        }
        page.open("table", "class", "decisions").open("tbody");
        for (Timeline.Change change : changes) {
            page.open("tr");
            page.element("td", String.format(Locale.ROOT, "%.0f s", change.seconds()));
            page.element("td", change.poolId());
            page.element("td", change.from() + " → " + change.to());
            page.element("td", change.reason());
            page.close();
        }
        page.close().close();
    }

    private void table(List<List<String>> rows) {
        page.open("div", "class", "wide").open("table").open("thead");
        row("th", rows.get(0));
        page.close().open("tbody");
        rows.stream().skip(1).forEach(row -> row("td", row));
        page.close().close().close();
    }

    private void row(String cell, List<String> cells) {
        page.open("tr").element("th", cells.get(0), "scope", "td".equals(cell) ? "row" : "col");
        cells.stream().skip(1).forEach(text -> page.element(cell, text));
        page.close();
    }
}
