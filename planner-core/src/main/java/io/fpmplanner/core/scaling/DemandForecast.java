/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import java.util.Optional;

/**
 * Arrivals expected over the next while: a level that a significant trend moves on for a limited time, or what somebody
 * has said will come.
 *
 * @param level requests/s now
 * @param slope rise of the level, requests/s per second; 0 without a significant trend
 * @param deviation standard deviation of the level over a quarter of a minute, requests/s
 * @param trendSeconds how long the trend is trusted to last
 * @param season what a season lets expect, in the place of a trend; the level is what there is at least
 * @param course a forecast that replaces all of this wherever it says something
 */
record DemandForecast(
        double level,
        double slope,
        double deviation,
        double trendSeconds,
        Optional<SeasonOutlook> season,
        Optional<Course> course) {
    /* The 80th percentile of a normal distribution: what a fleet that shrinks must still be good for. */
    private static final double UPPER_SIGMAS = 0.84;
    /* As much as what is learned of a replica's capacity moves by itself: at the border between two sizes it would tip. */
    private static final double MARGIN = 1.05;

    static final DemandForecast NOTHING = new DemandForecast(0, 0, 0, 0);

    DemandForecast(double level, double slope, double deviation, double trendSeconds) {
        this(level, slope, deviation, trendSeconds, Optional.empty(), Optional.empty());
    }

    /** The same with what somebody expects. */
    DemandForecast along(Course expected) {
        return new DemandForecast(level, slope, deviation, trendSeconds, season, Optional.of(expected));
    }

    /** The same with what a season lets expect. */
    DemandForecast in(SeasonOutlook expected) {
        return new DemandForecast(level, slope, deviation, trendSeconds, Optional.of(expected), course);
    }

    double requestsPerSecond(double secondsFromNow) {
        if (course.isPresent()) {
            var told = course.get().requestsPerSecond(secondsFromNow);
            if (told.isPresent()) {
                return told.getAsDouble();
            }
        }
        if (season.isPresent()) {
            return Math.max(level, season.get().requestsPerSecond(secondsFromNow));
        }
        return Math.max(0, level + slope * Math.min(secondsFromNow, trendSeconds));
    }

    /** Whether requests come now or are expected within a cold start. */
    boolean expectsSome() {
        return level > 0
                || season.map(SeasonOutlook::expectsSome).orElse(false)
                || course.map(Course::expectsSome).orElse(false);
    }

    ForecastOrigin origin() {
        if (course.filter(Course::reachesHorizon).isPresent()) {
            return ForecastOrigin.SUPPLIED;
        }
        return season.isPresent() ? ForecastOrigin.SEASON : ForecastOrigin.TREND;
    }

    /** What arrivals will have been multiplied by, 1 without a trend. */
    double growth(double secondsFromNow) {
        return level > 0 ? requestsPerSecond(secondsFromNow) / level : 1;
    }

    /** The 80th percentile of what may come; a falling trend is not trusted. */
    DemandForecast upper() {
        return new DemandForecast(
                MARGIN * level + UPPER_SIGMAS * deviation,
                Math.max(0, slope),
                deviation,
                trendSeconds,
                season.map(known -> known.changed(MARGIN, UPPER_SIGMAS * Math.max(deviation, known.deviation()))),
                course.map(told -> told.times(MARGIN).plus(UPPER_SIGMAS * deviation)));
    }

    DemandForecast times(double factor) {
        return new DemandForecast(
                level * factor,
                slope * factor,
                deviation * factor,
                trendSeconds,
                season.map(known -> known.changed(factor, 0)),
                course.map(told -> told.times(factor)));
    }

    /** As it is now, whatever is to come. */
    DemandForecast withoutTrend() {
        return new DemandForecast(level, 0, deviation, 0);
    }
}
