/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.models.StepRegime;
import io.fpmplanner.service.backtest.Plot.Axis;
import io.fpmplanner.service.backtest.Plot.Point;
import io.fpmplanner.service.page.Markup;
import io.fpmplanner.service.page.Scale;
import io.fpmplanner.service.replay.ScoreFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** The plots of one recording. */
final class RecordingPlots {
    private static final int POINTS_PER_LINE = 320;
    private static final int DOTS_PER_REGIME = 400;
    private static final int STEPS_BEFORE_CHANGE = 100;
    private static final int STEPS_AFTER_CHANGE = 400;
    private static final int COVERAGE_WINDOW = 400;
    private static final Axis ERROR = new Axis(new Scale(0.001, 10, true), "error", RecordingPlots::percent);

    private final Markup page;
    private final RecordingResult result;

    RecordingPlots(Markup page, RecordingResult result) {
        this.page = page;
        this.result = result;
    }

    /** All of them, each with a caption. */
    void draw() {
        figure(this::errorOverTime);
        figure(this::predictedAgainstMeasured);
        figure(this::coverageOverTime);
        if (result.ours().experiments().slowerClock().isPresent()) {
            figure(this::slowerClock);
        }
    }

    private void figure(Runnable content) {
        page.open("figure");
        content.run();
        page.close();
    }

    private void errorOverTime() {
        int window = Math.max(Recovery.WINDOW, result.steps() / 100);
        page.element("figcaption", "Error over time: mean over the last " + window + " steps");
        Plot plot = Plot.begin(page, "Error of each learner over time", steps(0, result.steps()), ERROR);
        for (LearnerResult learner : backToFront()) {
            plot.line(style(learner), trailing(new Span(0, result.steps()), window, learner.asRecorded()::error));
        }
        for (int reset : result.ours().asRecorded().driftResets()) {
            plot.marker(reset, "drift found");
        }
        plot.end();
        legend();
    }

    private void slowerClock() {
        LearnerResult.SlowerClock ours =
                result.ours().experiments().slowerClock().orElseThrow();
        int change = ours.recovery().changedAt();
        Span span = new Span(
                Math.max(0, change - STEPS_BEFORE_CHANGE), Math.min(result.steps(), change + STEPS_AFTER_CHANGE));
        page.element(
                "figcaption",
                "Drift, as an experiment: all times grow by a quarter; mean error over the last " + Recovery.WINDOW
                        + " steps");
        Plot plot = Plot.begin(
                page, "Error of each learner around a change of the clock", steps(span.from, span.to), ERROR);
        for (LearnerResult learner : backToFront()) {
            learner.experiments()
                    .slowerClock()
                    .ifPresent(slower ->
                            plot.line(style(learner), trailing(span, Recovery.WINDOW, slower.predictions()::error)));
        }
        plot.marker(change, "clock slows down");
        ours.predictions().driftResets().stream()
                .filter(reset -> reset >= span.from && reset < span.to)
                .forEach(reset -> plot.marker(reset, "drift found"));
        plot.end();
        legend();
    }

    private void coverageOverTime() {
        Predictions ours = result.ours().asRecorded();
        page.element(
                "figcaption",
                "Coverage over time: share of the last " + COVERAGE_WINDOW
                        + " times inside the interval; dashed, what it" + " should be");
        Axis share = new Axis(Scale.linear(0, 1), "inside", RecordingPlots::percent);
        Plot plot = Plot.begin(page, "Coverage of the intervals over time", steps(0, result.steps()), share);
        for (int level = 0; level < Predictions.LEVELS.size(); level++) {
            int index = level;
            double nominal = Predictions.LEVELS.get(level);
            plot.line("nominal", List.of(new Point(0, nominal), new Point(result.steps(), nominal)));
            plot.line(
                    "series fpm-planner",
                    trailing(new Span(0, result.steps()), COVERAGE_WINDOW, t -> ours.inside(t, index) ? 1 : 0));
        }
        plot.end();
    }

    private void predictedAgainstMeasured() {
        Predictions ours = result.ours().asRecorded();
        page.element(
                "figcaption", "Predicted against measured, ours, steps drawn evenly from each regime; lines: 10% off");
        double[] seconds = IntStream.range(0, ours.size())
                .filter(ours::answered)
                .mapToDouble(ours::measuredSeconds)
                .sorted()
                .toArray();
        double low = seconds.length == 0 ? 0.001 : seconds[0];
        double high = seconds.length == 0 ? 1 : seconds[seconds.length - 1];
        Scale scale = Scale.decades(low, high);
        Plot plot = Plot.begin(
                page,
                "Predicted against measured times",
                new Axis(scale, "measured", RecordingPlots::duration),
                new Axis(scale, "predicted", RecordingPlots::duration));
        for (double factor : new double[] {0.9, 1, 1.1}) {
            plot.line(
                    factor == 1 ? "nominal exact" : "nominal",
                    List.of(
                            new Point(scale.low() * Math.max(1, 1 / factor), scale.low() * Math.max(1, factor)),
                            new Point(scale.high() * Math.min(1, 1 / factor), scale.high() * Math.min(1, factor))));
        }
        for (StepRegime regime : StepRegime.values()) {
            plot.dots("dots " + ScoreFormat.name(regime), sample(ours, regime));
        }
        plot.end();
        page.open("ul", "class", "legend");
        for (StepRegime regime : StepRegime.values()) {
            if (result.ours().figures().regimes().containsKey(regime)) {
                legendEntry("M4 6h0M11 6h0M18 6h0", "dots " + ScoreFormat.name(regime), ScoreFormat.name(regime));
            }
        }
        page.close();
    }

    private static List<Point> sample(Predictions ours, StepRegime regime) {
        int[] steps = IntStream.range(0, ours.size())
                .filter(t -> ours.regime(t) == regime && ours.answered(t))
                .toArray();
        int count = Math.min(steps.length, DOTS_PER_REGIME);
        return IntStream.range(0, count)
                .map(i -> steps[(int) ((long) i * steps.length / count)])
                .mapToObj(t -> new Point(ours.measuredSeconds(t), ours.predictedSeconds(t)))
                .toList();
    }

    /** Steps from one on up to another, which does not belong to them. */
    private record Span(int from, int to) {}

    /** Means over the last steps within a span, thinned out to what a plot can show. */
    private static List<Point> trailing(Span span, int window, IntToDoubleFunction value) {
        List<Point> points = new ArrayList<>();
        int stride = Math.max(1, (span.to - span.from) / POINTS_PER_LINE);
        double[] sums = new double[span.to - span.from + 1];
        for (int t = span.from; t < span.to; t++) {
            sums[t - span.from + 1] = sums[t - span.from] + value.applyAsDouble(t);
            int count = Math.min(window, t - span.from + 1);
            if (count >= Math.min(window, Recovery.WINDOW) && t % stride == 0) {
                double sum = sums[t - span.from + 1] - sums[t - span.from + 1 - count];
                points.add(new Point(t, sum / count));
            }
        }
        return points;
    }

    private static Axis steps(int from, int to) {
        return new Axis(Scale.linear(from, to), "step", step -> String.format(Locale.ROOT, "%.0f", step));
    }

    /** Ours last, so that nothing covers it. */
    private List<LearnerResult> backToFront() {
        List<LearnerResult> learners = new ArrayList<>(result.learners());
        learners.remove(result.ours());
        learners.add(result.ours());
        return learners;
    }

    private static String style(LearnerResult learner) {
        return "series " + learner.contender().id();
    }

    private void legend() {
        page.open("ul", "class", "legend");
        for (Contender contender : Contender.values()) {
            legendEntry("M0 6H22", "series " + contender.id(), contender.id());
        }
        page.close();
    }

    private void legendEntry(String path, String style, String name) {
        page.open("li").open("svg", "viewBox", "0 0 22 12", "class", "swatch", "aria-hidden", "true");
        page.empty("path", "class", style, "d", path);
        page.close().text(name).close();
    }

    private static String percent(double share) {
        double percent = 100 * share;
        return String.format(Locale.ROOT, percent < 1 && percent > 0 ? "%.1f%%" : "%.0f%%", percent);
    }

    private static String duration(double seconds) {
        if (seconds < 0.9995e-3) {
            return String.format(Locale.ROOT, "%.0f us", seconds * 1e6);
        }
        return seconds < 0.9995
                ? String.format(Locale.ROOT, "%.0f ms", seconds * 1e3)
                : String.format(Locale.ROOT, "%.0f s", seconds);
    }
}
