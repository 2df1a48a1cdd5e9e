/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks for seasons of arrivals, from minutes to a day long, and says what they let expect. Not threadsafe. */
final class SeasonWatch {
    /*
     * Arrivals are kept in bins of four widths, each for periods of 72 to 288 bins (the narrowest from 24 on), so that a
     * period is resolved to a hundredth and seen four times over in bounded memory: 9 kB a pool. A period shorter than
     * two cold starts is not looked for: a replica would hardly be there before it is not needed any more.
     */
    private static final int[] WIDTHS_SECONDS = {5, 20, 80, 320};
    private static final int LEAST_LAG = 72;
    private static final int MOST_LAG = 288;
    private static final int LEAST_OF_ALL = 24;
    private static final double COLD_STARTS = 2;
    private static final int BINS_BETWEEN_SEARCHES = 8;
    private static final int MOST_POINTS = 96;

    private final List<Level> levels = new ArrayList<>();

    /**
     * @param turn any number; those of different turns search at different moments, so that no tick has to search for all
     */
    SeasonWatch(int turn) {
        int first = Math.floorMod(turn, BINS_BETWEEN_SEARCHES);
        for (int width : WIDTHS_SECONDS) {
            levels.add(new Level(new RateBins(width), width == WIDTHS_SECONDS[0] ? LEAST_OF_ALL : LEAST_LAG, first));
        }
    }

    /** What arrived in a span of time that ends now. */
    void add(long nowNanos, double seconds, double arrived, double coldStartSeconds) {
        for (Level level : levels) {
            level.add(nowNanos, seconds, arrived, coldStartSeconds);
        }
    }

    /**
     * What the season that tells most lets expect; empty without one.
     *
     * @param coldStartSeconds for which a fleet is planned, and some time beyond
     */
    Optional<SeasonOutlook> outlook(long nowNanos, double coldStartSeconds) {
        Level best = null;
        double share = Double.POSITIVE_INFINITY;
        for (Level level : levels) {
            if (level.season != null && level.season.share() < share) {
                best = level;
                share = level.season.share();
            }
        }
        return best == null ? Optional.empty() : Optional.of(best.outlook(nowNanos, coldStartSeconds));
    }

    ArrivalMemory memory() {
        return new ArrivalMemory(levels.stream()
                .filter(level -> level.bins.size() > 0)
                .map(level -> level.bins.memory())
                .toList());
    }

    /** Goes on from before a restart. */
    void restore(ArrivalMemory memory) {
        for (ArrivalMemory.Bins kept : memory.bins()) {
            levels.stream()
                    .filter(level -> level.bins.widthSeconds() == kept.widthSeconds())
                    .forEach(level -> level.bins.restore(kept));
        }
    }

    /** Bins of one width and the season that they tell of. */
    private static final class Level {
        private final RateBins bins;
        private final int leastLag;
        private @Nullable Season season;
        /** As of the newest bin, while there is a season. */
        private double[] rates = {};

        private int untilSearch;

        Level(RateBins bins, int leastLag, int untilSearch) {
            this.bins = bins;
            this.leastLag = leastLag;
            this.untilSearch = untilSearch;
        }

        void add(long nowNanos, double seconds, double arrived, double coldStartSeconds) {
            int completed = bins.add(nowNanos, seconds, arrived);
            untilSearch -= completed;
            if (completed > 0 && (season != null || untilSearch <= 0)) {
                weigh(coldStartSeconds);
            }
        }

        private void weigh(double coldStartSeconds) {
            double width = bins.widthSeconds();
            rates = bins.rates();
            int ahead = Math.max(1, (int) Math.ceil(coldStartSeconds / width));
            Season followed = season;
            if (followed != null) {
                Season now = Season.weigh(rates, followed.lag(), ahead, width);
                season = now.holds() ? now : null;
                return;
            }
            untilSearch = BINS_BETWEEN_SEARCHES;
            int least = Math.max(leastLag, (int) Math.ceil(COLD_STARTS * coldStartSeconds / width));
            int reach = Season.reach(rates, MOST_LAG, width);
            for (int lag : PeriodSearch.lags(Season.smoothed(rates, reach), 2 * reach + 1, least, MOST_LAG)) {
                Season found = Season.weigh(rates, lag, ahead, width);
                if (found.convinces()) {
                    season = found;
                    return;
                }
            }
            rates = new double[0];
        }

        SeasonOutlook outlook(long nowNanos, double coldStartSeconds) {
            Season followed = Objects.requireNonNull(season);
            double horizonSeconds = FleetSizing.horizonSeconds(coldStartSeconds);
            double width = bins.widthSeconds();
            double ratio = Season.ratioNow(rates, followed.lag(), width);
            int reach = Season.reach(rates, followed.lag(), width);
            int stride = (int) Math.max(1, Math.ceil(horizonSeconds / width / MOST_POINTS));
            double first = (bins.endNanos() - nowNanos) / 1e9 + width / 2;
            List<Double> expected = new ArrayList<>();
            for (int bin = 0; bin <= (horizonSeconds - first) / width + stride; bin += stride) {
                expected.add(ratio * Season.shape(rates, rates.length + bin, followed.lag(), reach));
            }
            return new SeasonOutlook(
                    followed.lag() * width,
                    first,
                    stride * width,
                    List.copyOf(expected),
                    coldStartSeconds,
                    ratio * followed.deviation());
        }
    }
}
