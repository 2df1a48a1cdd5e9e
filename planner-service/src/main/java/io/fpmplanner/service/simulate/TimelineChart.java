/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import io.fpmplanner.service.page.Markup;
import io.fpmplanner.service.page.Scale;
import io.fpmplanner.sim.board.Timeline;
import io.fpmplanner.sim.board.Timeline.Moment;
import io.fpmplanner.sim.board.Timeline.PoolMoment;
import io.fpmplanner.sim.policy.LatencyObjective;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** One run as panels above each other over the same seconds: what came, what waited, how long it took, what was there. */
final class TimelineChart {
    private static final int WIDTH = 900;
    private static final int LEFT = 64;
    private static final int RIGHT = 12;
    private static final int PANEL = 64;
    private static final int GAP = 20;
    /** Latencies beyond so many times the objective are drawn at the edge: how far beyond does not matter. */
    private static final double MOST_OBJECTIVES = 3;

    private final Markup page;
    private final Timeline timeline;
    private final LatencyObjective objective;
    private final Scale x;
    private int top = 14;

    TimelineChart(Markup page, Timeline timeline, LatencyObjective objective) {
        this.page = page;
        this.timeline = timeline;
        this.objective = objective;
        List<Moment> moments = timeline.moments();
        this.x = Scale.linear(
                0, moments.isEmpty() ? 1 : moments.get(moments.size() - 1).seconds());
    }

    void draw(String description) {
        int height = 5 * (PANEL + GAP) + 16;
        page.open("svg", "viewBox", "0 0 " + WIDTH + " " + height, "role", "img", "aria-label", description);
        panel("arrivals, requests/s", 0, moment -> OptionalDouble.of(moment.arrivalsPerSecond()));
        pools("waiting requests", PoolMoment::waiting, pool -> 0.0);
        latency("TTFT p90, s", objective.ttftSeconds(), Moment::ttftP90Seconds);
        latency("ITL p90, s", objective.itlSeconds(), Moment::itlP90Seconds);
        pools("replicas: ready, provisioned (thin)", PoolMoment::ready, PoolMoment::provisioned);
        for (double tick : x.ticks()) {
            label(place(tick), top - 4, "middle", number(tick) + " s");
        }
        decisions();
        page.close();
    }

    private void panel(String name, double limit, Function<Moment, OptionalDouble> value) {
        double highest = timeline.moments().stream()
                .map(value)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .max()
                .orElse(1);
        double edge = limit > 0 ? Math.max(1.2 * limit, Math.min(highest, MOST_OBJECTIVES * limit)) : highest;
        Scale y = axes(name, edge);
        if (limit > 0) {
            line("limit", LEFT, vertical(y, limit), WIDTH - RIGHT, vertical(y, limit));
        }
        page.empty("path", "class", "first", "d", path(y, value));
        top += PANEL + GAP;
    }

    private void latency(String name, double limit, Function<Moment, OptionalDouble> value) {
        panel(name, limit, value);
    }

    private void pools(String name, ToDoubleFunction<PoolMoment> bold, ToDoubleFunction<PoolMoment> thin) {
        double highest = timeline.moments().stream()
                .flatMap(moment -> moment.pools().stream())
                .mapToDouble(pool -> Math.max(bold.applyAsDouble(pool), thin.applyAsDouble(pool)))
                .max()
                .orElse(1);
        Scale y = axes(name, Math.max(1, highest));
        int count = timeline.moments().isEmpty()
                ? 0
                : timeline.moments().get(0).pools().size();
        for (int i = 0; i < count; i++) {
            int pool = i;
            String style = i == 0 ? "first" : "second";
            page.empty("path", "class", style + " thin", "d", path(y, moment -> at(moment, pool, thin)));
            page.empty("path", "class", style, "d", path(y, moment -> at(moment, pool, bold)));
            label(
                    LEFT + 6 + 90.0 * i,
                    top + 10,
                    "start",
                    timeline.moments().get(0).pools().get(i).poolId(),
                    style);
        }
        top += PANEL + GAP;
    }

    private static OptionalDouble at(Moment moment, int pool, ToDoubleFunction<PoolMoment> value) {
        return OptionalDouble.of(value.applyAsDouble(moment.pools().get(pool)));
    }

    private Scale axes(String name, double highest) {
        Scale y = Scale.linear(0, highest);
        line("grid", LEFT, vertical(y, 0), WIDTH - RIGHT, vertical(y, 0));
        line("grid", LEFT, vertical(y, y.high()), WIDTH - RIGHT, vertical(y, y.high()));
        label(LEFT - 6, vertical(y, 0) + 4, "end", "0");
        label(LEFT - 6, vertical(y, y.high()) + 4, "end", number(y.high()));
        label(LEFT, top - 4, "start", name);
        return y;
    }

    private String path(Scale y, Function<Moment, OptionalDouble> value) {
        StringBuilder path = new StringBuilder();
        boolean drawing = false;
        for (Moment moment : timeline.moments()) {
            OptionalDouble known = value.apply(moment);
            if (known.isPresent()) {
                path.append(drawing ? 'L' : 'M')
                        .append(coordinate(place(moment.seconds())))
                        .append(' ')
                        .append(coordinate(vertical(y, known.getAsDouble())));
                if (!drawing) {
                    path.append("h0");
                }
            }
            drawing = known.isPresent();
        }
        return path.toString();
    }

    private void decisions() {
        for (Timeline.Change change : timeline.decisions()) {
            String style = change.to() > change.from() ? "up" : "down";
            page.open("g", "class", style);
            page.element(
                    "title", change.poolId() + " " + change.from() + " to " + change.to() + ": " + change.reason());
            double at = place(change.seconds());
            line("mark", at, 14, at, top - GAP);
            page.close();
        }
    }

    private void line(String style, double x1, double y1, double x2, double y2) {
        page.empty(
                "line",
                "class",
                style,
                "x1",
                coordinate(x1),
                "y1",
                coordinate(y1),
                "x2",
                coordinate(x2),
                "y2",
                coordinate(y2));
    }

    private void label(double atX, double atY, String anchor, String text) {
        label(atX, atY, anchor, text, "tick");
    }

    private void label(double atX, double atY, String anchor, String text, String style) {
        page.element("text", text, "x", coordinate(atX), "y", coordinate(atY), "text-anchor", anchor, "class", style);
    }

    private double place(double seconds) {
        return LEFT + x.place(seconds) * (WIDTH - LEFT - RIGHT);
    }

    private double vertical(Scale y, double value) {
        return top + PANEL - y.place(value) * PANEL;
    }

    private static String coordinate(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, value < 1 ? "%.3f" : "%.1f", value);
    }
}
