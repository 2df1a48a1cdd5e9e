/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.page;

import java.util.ArrayList;
import java.util.List;

/**
 * Where values lie along the side of a plot; those beyond its ends are put on them.
 *
 * @param low value at the beginning
 * @param high value at the end, above {@code low}
 * @param logarithmic whether equal ratios are equally far apart; then {@code low} &gt; 0
 */
public record Scale(double low, double high, boolean logarithmic) {
    private static final int MOST_TICKS = 6;
    private static final double[] ROUND = {1, 2, 5, 10};

    /** Equal distances are equally far apart; a scale without extent is given one. */
    public static Scale linear(double low, double high) {
        return new Scale(low, high > low ? high : low + 1, false);
    }

    /** From the power of ten below {@code low} to that above {@code high}. */
    public static Scale decades(double low, double high) {
        double from = Math.pow(10, Math.floor(Math.log10(low)));
        double to = Math.pow(10, Math.ceil(Math.log10(high)));
        return new Scale(from, to > from ? to : 10 * from, true);
    }

    /** 0 at the beginning, 1 at the end. */
    public double place(double value) {
        double inside = Math.max(low, Math.min(high, value));
        return logarithmic ? Math.log(inside / low) / Math.log(high / low) : (inside - low) / (high - low);
    }

    /** Round values along the scale. */
    public List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        if (logarithmic) {
            for (double tick = low; tick <= high * 1.001; tick *= 10) {
                ticks.add(tick);
            }
            return ticks;
        }
        double step = step((high - low) / MOST_TICKS);
        for (double tick = Math.ceil(low / step); tick * step <= high; tick++) {
            ticks.add(tick * step);
        }
        return ticks;
    }

    private static double step(double least) {
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        for (double factor : ROUND) {
            if (factor * power >= least) {
                return factor * power;
            }
        }
        return 10 * power;
    }
}
