/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Arrivals that somebody expects of a pool; straight lines between the points. Says nothing before the first point and
 * after the last one. Immutable.
 *
 * @param points ascending in time, 1 to {@value #MAX_POINTS}
 * @param validUntilNanos forgotten after that moment, nanoseconds since the Unix epoch on the caller's clock
 */
public record SuppliedForecast(List<Point> points, long validUntilNanos) {
    /** Most points: two days of minutes. */
    public static final int MAX_POINTS = 2880;

    public SuppliedForecast {
        points = List.copyOf(points);
        Checks.between("points", points.size(), 1, MAX_POINTS);
        for (int i = 1; i < points.size(); i++) {
            if (points.get(i).nanos() <= points.get(i - 1).nanos()) {
                throw new IllegalArgumentException("points must ascend in time, points[" + i + "] does not");
            }
        }
    }

    /**
     * One moment of it.
     *
     * @param nanos on the caller's clock
     * @param requestsPerSecond arrivals expected then, 0 to 1e6
     */
    public record Point(long nanos, double requestsPerSecond) {
        public Point {
            Checks.between("requestsPerSecond", requestsPerSecond, 0, 1e6);
        }
    }

    /** Whether it says nothing any more from a moment on. */
    public boolean isOver(long nowNanos) {
        return nowNanos > validUntilNanos
                || nowNanos > points.get(points.size() - 1).nanos();
    }

    /** Requests/s expected at a moment; empty outside of its span. */
    public OptionalDouble at(long nanos) {
        int low = 0;
        int high = points.size() - 1;
        if (nanos < points.get(low).nanos() || nanos > points.get(high).nanos()) {
            return OptionalDouble.empty();
        }
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (points.get(middle).nanos() <= nanos) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Point before = points.get(low);
        Point after = points.get(high);
        double span = (double) after.nanos() - before.nanos();
        double part = span <= 0 ? 0 : (nanos - before.nanos()) / span;
        return OptionalDouble.of(
                before.requestsPerSecond() + part * (after.requestsPerSecond() - before.requestsPerSecond()));
    }
}
