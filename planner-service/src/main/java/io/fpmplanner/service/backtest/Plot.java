/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.service.page.Markup;
import io.fpmplanner.service.page.Scale;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** Draws into one SVG image of a page; how things look is up to the style sheet. */
final class Plot {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 260;
    private static final int LEFT = 68;
    private static final int RIGHT = 22;
    private static final int TOP = 12;
    private static final int BOTTOM = 40;

    private final Markup page;
    private final Axis x;
    private final Axis y;

    /** A side of the plot: its scale, its name, and how values are written. */
    record Axis(Scale scale, String name, DoubleFunction<String> format) {}

    /** A point in the units of the axes. */
    record Point(double x, double y) {}

    private Plot(Markup page, Axis x, Axis y) {
        this.page = page;
        this.x = x;
        this.y = y;
    }

    /** Begins an image with axes; {@code description} is for those who cannot see it. */
    static Plot begin(Markup page, String description, Axis x, Axis y) {
        page.open("svg", "viewBox", "0 0 " + WIDTH + " " + HEIGHT, "role", "img", "aria-label", description);
        Plot plot = new Plot(page, x, y);
        plot.drawAxes();
        return plot;
    }

    private void drawAxes() {
        for (double tick : y.scale.ticks()) {
            segment("grid", LEFT, vertical(tick), WIDTH - RIGHT, vertical(tick));
            label(LEFT - 6, vertical(tick) + 4, "end", y.format.apply(tick));
        }
        for (double tick : x.scale.ticks()) {
            segment("grid", horizontal(tick), TOP, horizontal(tick), HEIGHT - BOTTOM);
            label(horizontal(tick), HEIGHT - BOTTOM + 15, "middle", x.format.apply(tick));
        }
        label((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 6, "middle", x.name);
        page.element(
                "text",
                y.name,
                "text-anchor",
                "middle",
                "transform",
                "translate(11 " + (TOP + HEIGHT - BOTTOM) / 2 + ") rotate(-90)");
    }

    /** A line through points; nothing without points. */
    Plot line(String style, List<Point> points) {
        if (!points.isEmpty()) {
            StringBuilder path = new StringBuilder();
            for (Point point : points) {
                path.append(path.isEmpty() ? "M" : "L").append(place(point));
            }
            page.empty("path", "class", style, "d", path.toString());
        }
        return this;
    }

    /** A dot at each point. */
    Plot dots(String style, List<Point> points) {
        StringBuilder path = new StringBuilder();
        for (Point point : points) {
            path.append("M").append(place(point)).append("h0");
        }
        page.empty("path", "class", style, "d", path.toString());
        return this;
    }

    /** A vertical line at a moment, with a word beside it. */
    Plot marker(double at, String word) {
        segment("marker", horizontal(at), TOP, horizontal(at), HEIGHT - BOTTOM);
        boolean nearTheEnd = x.scale.place(at) > 0.85;
        label(horizontal(at) + (nearTheEnd ? -4 : 4), TOP + 10, nearTheEnd ? "end" : "start", word);
        return this;
    }

    void end() {
        page.close();
    }

    private void segment(String style, double x1, double y1, double x2, double y2) {
        page.empty("line", "class", style, "x1", number(x1), "y1", number(y1), "x2", number(x2), "y2", number(y2));
    }

    private void label(double atX, double atY, String anchor, String text) {
        page.element("text", text, "x", number(atX), "y", number(atY), "text-anchor", anchor);
    }

    private String place(Point point) {
        return number(horizontal(point.x)) + " " + number(vertical(point.y));
    }

    private double horizontal(double value) {
        return LEFT + x.scale.place(value) * (WIDTH - LEFT - RIGHT);
    }

    private double vertical(double value) {
        return HEIGHT - BOTTOM - y.scale.place(value) * (HEIGHT - TOP - BOTTOM);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
