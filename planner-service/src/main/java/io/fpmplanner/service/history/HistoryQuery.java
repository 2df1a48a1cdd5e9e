/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.history;

import io.fpmplanner.service.http.Problem;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.List;

/**
 * What of the past is asked for.
 *
 * @param seconds how far back, 1 to {@value PoolHistory#MOST_SECONDS}
 * @param sinceMillis only steps that end after it; 0 for all
 * @param series which curves
 */
record HistoryQuery(int seconds, long sinceMillis, List<Series> series) {
    private static final int DEFAULT_SECONDS = 3_600;

    HistoryQuery {
        series = List.copyOf(series);
    }

    /** Reads a query string; a {@link Problem} says what is wrong in it. */
    static HistoryQuery of(MultiMap parameters) {
        return new HistoryQuery(
                (int) whole(parameters, "seconds", 1, PoolHistory.MOST_SECONDS, DEFAULT_SECONDS),
                whole(parameters, "since", 0, Long.MAX_VALUE, 0),
                series(parameters.get("series")));
    }

    private static long whole(MultiMap parameters, String name, long least, long most, long otherwise) {
        String text = parameters.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw Problem.field(
                name,
                name + " must be a whole number between " + least + " and " + most + ", was '" + shown(text) + "'");
    }

    private static List<Series> series(String text) {
        if (text == null) {
            return List.of(Series.values());
        }
        List<Series> chosen = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            chosen.add(Series.named(name)
                    .orElseThrow(() -> Problem.field("series", "series: there is no series '" + shown(name) + "'")));
        }
        return chosen;
    }

    private static String shown(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "..." : text;
    }
}
