/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.service.page.Markup;
import io.fpmplanner.service.page.PageHead;
import io.fpmplanner.service.recording.RecordingException;
import io.fpmplanner.service.replay.ErrorSummary;
import io.fpmplanner.service.replay.ScoreFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The comparison as one page without scripts that asks no other file or host. */
final class HtmlReport {
    private static final String STYLE_SHEET = "report.css";

    private final Markup page = new Markup();
    private final BacktestReport report;

    private HtmlReport(BacktestReport report) {
        this.report = report;
    }

    static String of(BacktestReport report) {
        return new HtmlReport(report).write();
    }

    private String write() {
        page.open("html", "lang", "en");
        PageHead.write(page, "Backtest of fpm-planner", HtmlReport.class, STYLE_SHEET);
        page.open("body").open("main");
        page.element("h1", "Backtest of fpm-planner");
        page.element(
                "p",
                "How well the time of the next forward pass is predicted on your recordings, beside what others use.",
                "class",
                "soft");
        overview();
        report.results().forEach(this::recording);
        failures();
        page.element("h2", "How to read this");
        page.element("p", reading());
        page.open("dl");
        for (Contender contender : Contender.values()) {
            page.element("dt", contender.id()).element("dd", contender.title());
        }
        page.close();
        page.close().close().close();
        return page.page();
    }

    private static String reading() {
        return String.format(
                Locale.ROOT, """
                Each learner predicts a step and then learns its time. Errors are absolute and relative, from step %d on; where a \
                learner has no answer, that counts as 100%%. sums: error of the sum over %d steps, median. start, clock, switch: \
                steps until the mean error over %d steps is below 10%% from the cold, after all times grew by a quarter, and when \
                the next recording follows. prefill, decode, mixed beside them: how many such steps had been seen when the error \
                of the last %d was first below 10%%. noise: points of error added by learning from times with 4%% of noise and \
                0.5%% tenfold stragglers.""", ErrorSummary.SCORED_FROM, Figures.SUM_WINDOW, Recovery.WINDOW, Recovery.WINDOW);
    }

    private void overview() {
        if (report.results().isEmpty()) {
            page.element("p", "No recording could be read.");
            return;
        }
        page.open("ul", "class", "overview");
        for (RecordingResult result : report.results()) {
            Verdict verdict = result.verdict();
            page.open("li", "class", verdict.trust().name().toLowerCase(Locale.ROOT));
            page.element("b", ScoreFormat.fileName(result.file()))
                    .text(" " + verdict.trust().words());
            page.close();
        }
        page.close();
        if (report.results().size() > 1) {
            table(FigureRows.medians(report));
        }
    }

    private void recording(RecordingResult result) {
        Verdict verdict = result.verdict();
        page.open("section");
        page.element("h2", ScoreFormat.fileName(result.file()), "title", result.file());
        page.open("p", "class", "verdict " + verdict.trust().name().toLowerCase(Locale.ROOT));
        page.element("b", verdict.trust().words()).text(" " + verdict.summary());
        page.close();
        if (!verdict.doubts().isEmpty() || !verdict.limits().isEmpty()) {
            page.open("ul");
            verdict.doubts().forEach(doubt -> page.element("li", doubt));
            verdict.limits().forEach(limit -> page.element("li", limit, "class", "soft"));
            page.close();
        }
        if (result.steps() > Recovery.WINDOW) {
            page.open("div", "class", "plots");
            new RecordingPlots(page, result).draw();
            page.close();
        }
        table(FigureRows.accuracy(result));
        table(FigureRows.changes(result));
        page.element("p", FigureRows.intervals(result), "class", "soft");
        page.close();
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

    private void failures() {
        if (report.failures().isEmpty()) {
            return;
        }
        page.element("h2", "Not read").open("ul");
        for (RecordingException failure : report.failures()) {
            page.element("li", Objects.requireNonNullElse(failure.getMessage(), failure.file()));
        }
        page.close();
    }
}
