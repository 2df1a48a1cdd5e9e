/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

/**
 * Arrivals per second, tick by tick, with their level since the last change, trend and spread. Not threadsafe.
 */
final class RateSeries {
    /*
     * The level is the mean of everything since the last change, up to LONGEST_SECONDS: the longer nothing changes, the
     * steadier it stands. A change is a mean of the newest WINDOWS seconds that stands out from the mean before by
     * so many of its standard errors (SIGMAS, stricter for short windows since those are tried most often) and by a
     * tenth; what came before the likeliest moment of it is then forgotten. Counts vary at least like a Poisson process,
     * and few of them are not spread evenly about their mean: by the likelihood ratio 9 requests where 2 were due
     * are 3.6 standard errors, not 4.9. Such a test is made each second for hours, so it must be strict (IN_A_ROW): at four
     * requests/s that never changed, four falls were seen in five hours, one since. Samples are few, far between and
     * scatter by what was measured: their test is as it was.
     * A run of ticks without any arrival is a change as soon as the level before makes it all but impossible. On a slope
     * any mean is late by half its span: the line of a trend counts instead.
     */
    private static final double LONGEST_SECONDS = 240;
    private static final double[] WINDOWS = {4, 8, 15, 30};
    private static final double[] SIGMAS = {4.5, 4, 3.5, 3};
    private static final double IN_A_ROW = 1.2;
    private static final double LEAST_CHANGE = 0.1;
    private static final double IMPOSSIBLE = 9;
    private static final double BIN_SECONDS = 15;
    private static final int CAPACITY = 512;

    private final long[] times = new long[CAPACITY];
    private final double[] seconds = new double[CAPACITY];
    private final double[] counts = new double[CAPACITY];
    private final double[] tokens = new double[CAPACITY];
    private Sight sight = Sight.COUNTED;
    private double tokensEach = 1;
    private int size;
    private int newest = -1;
    private int sinceChange;
    private long fellAtNanos;
    private final Trend.Samples samples = new Trend.Samples(CAPACITY);

    /** Adds the arrivals of one tick; a negative number takes back what was counted too early. */
    void add(long nowNanos, double tickSeconds, double count) {
        add(nowNanos, tickSeconds, count, 0);
    }

    /**
     * Adds the arrivals of one tick, some of which are told by their tokens: how many those are may be known better later.
     *
     * @param tokensOfOthers of arrivals that were not counted
     */
    void add(long nowNanos, double tickSeconds, double count, double tokensOfOthers) {
        if (tickSeconds <= 0) {
            return;
        }
        newest = (newest + 1) % CAPACITY;
        size = Math.min(CAPACITY, size + 1);
        times[newest] = nowNanos;
        seconds[newest] = tickSeconds;
        counts[newest] = count;
        tokens[newest] = tokensOfOthers;
        sinceChange = Math.min(sinceChange + 1, ticks(LONGEST_SECONDS));
        noteChange();
    }

    /**
     * How all ticks are to be read from now on, earlier ones too.
     *
     * @param length of arrivals that are told by their tokens; more than 0
     */
    void read(Sight by, double length) {
        sight = by;
        tokensEach = length;
    }

    private double count(int age) {
        int index = index(age);
        return counts[index] + tokens[index] / tokensEach;
    }

    void clear() {
        size = 0;
        sinceChange = 0;
        newest = -1;
    }

    /** When the level fell last; 0 if it did not. */
    long fellAtNanos() {
        return fellAtNanos;
    }

    /** Time covered. */
    double seconds() {
        return span(0, size);
    }

    /** Mean over the newest ticks that cover the given time. */
    double mean(double span) {
        return mean(0, ticks(span));
    }

    /**
     * What is expected.
     *
     * @param trendSeconds how far a trend is trusted to go on
     */
    DemandForecast forecast(double trendSeconds) {
        if (size == 0) {
            return DemandForecast.NOTHING;
        }
        double mean = mean(0, sinceChange);
        double deviation = Math.sqrt(variancePerSecond(mean, 0, sinceChange) / BIN_SECONDS);
        double variance = sight.dispersion() * mean / Math.max(1e-3, span(0, size) / size);
        Trend trend = Trend.of(samples(), variance, sinceChange);
        return trend.slope() <= 0
                ? new DemandForecast(mean, 0, deviation, 0)
                : new DemandForecast(Math.max(mean, trend.level()), trend.slope(), deviation, trendSeconds);
    }

    private Trend.Samples samples() {
        samples.sight = sight;
        samples.size = size;
        for (int age = 0; age < size; age++) {
            samples.age[age] = (times[newest] - times[index(age)]) / 1e9;
            samples.rate[age] = count(age) / seconds[index(age)];
        }
        return samples;
    }

    private double squares(int fromAge, int toAge) {
        double mean = 0;
        for (int age = fromAge; age < toAge; age++) {
            mean += count(age) / seconds[index(age)] / (toAge - fromAge);
        }
        double squares = 0;
        for (int age = fromAge; age < toAge; age++) {
            double error = count(age) / seconds[index(age)] - mean;
            squares += error * error;
        }
        return squares;
    }

    private void noteChange() {
        if (noteSilence()) {
            return;
        }
        for (int i = 0; i < WINDOWS.length; i++) {
            int recent = ticks(WINDOWS[i]);
            if (sinceChange - recent < recent) {
                return;
            }
            double before = mean(recent, sinceChange);
            double after = mean(0, recent);
            boolean plain = Math.abs(after - before) > LEAST_CHANGE * before;
            if (plain && sigmas(recent, before, after) > SIGMAS[i]) {
                sinceChange = likeliestSplit(2 * recent);
                fellAtNanos = after < before ? times[index(sinceChange - 1)] : fellAtNanos;
                return;
            }
        }
    }

    /** By how many standard errors the means of the newest ticks and of those before differ. */
    private double sigmas(int recent, double before, double after) {
        double newer = span(0, recent);
        double older = span(recent, sinceChange);
        double variance = variancePerSecond(before, recent, sinceChange);
        if (sight == Sight.SAMPLED) {
            return Math.abs(after - before) / Math.sqrt(variance * (1 / newer + 1 / older));
        }
        double all = (before * older + after * newer) / (older + newer);
        double ratio = likelihood(after, all) * newer + likelihood(before, all) * older;
        double dispersion = variance / Math.max(before, 1e-3);
        return Math.sqrt(2 * Math.max(0, ratio) / dispersion) / IN_A_ROW;
    }

    private static double likelihood(double rate, double expected) {
        return rate > 0 ? rate * Math.log(rate / expected) : 0;
    }

    /** Whether arrivals have just been found to have ceased. */
    private boolean noteSilence() {
        int silent = 0;
        double time = 0;
        while (silent < sinceChange && count(silent) <= 0) {
            time += seconds[index(silent)];
            silent++;
        }
        boolean ceased = silent > 0 && silent < sinceChange && mean(silent, sinceChange) * time > IMPOSSIBLE;
        if (ceased) {
            sinceChange = silent;
            fellAtNanos = times[index(silent - 1)];
        }
        return ceased;
    }

    /** The age, up to the given one, at which two levels fit everything since the last change best. */
    private int likeliestSplit(int oldest) {
        int best = 1;
        double least = Double.POSITIVE_INFINITY;
        for (int split = 1; split < Math.min(oldest + 1, sinceChange); split++) {
            double squares = squares(0, split) + squares(split, sinceChange);
            if (squares < least) {
                least = squares;
                best = split;
            }
        }
        return best;
    }

    private int index(int age) {
        return Math.floorMod(newest - age, CAPACITY);
    }

    /** Number of the newest ticks that cover the given time. */
    private int ticks(double span) {
        double covered = 0;
        int count = 0;
        while (count < size && covered < span - 1e-6) {
            covered += seconds[index(count)];
            count++;
        }
        return count;
    }

    /* Ticks are few hundred at most: a sum each time is cheap against what a decision costs. */
    private double span(int fromAge, int toAge) {
        double time = 0;
        for (int age = fromAge; age < toAge; age++) {
            time += seconds[index(age)];
        }
        return time;
    }

    private double mean(int fromAge, int toAge) {
        double sum = 0;
        double time = 0;
        for (int age = fromAge; age < toAge; age++) {
            sum += count(age);
            time += seconds[index(age)];
        }
        return time > 0 ? Math.max(0, sum / time) : 0;
    }

    /**
     * Variance of the count of one second over some ticks; at least that of a Poisson process. Neighbours are taken
     * together: what a queue holds back in one tick it gives in the next.
     */
    private double variancePerSecond(double mean, int fromAge, int toAge) {
        double sum = 0;
        double time = 0;
        int pairs = 0;
        for (int age = fromAge; age + 1 < toAge; age += 2) {
            double span = seconds[index(age)] + seconds[index(age + 1)];
            double error = count(age) + count(age + 1) - mean * span;
            sum += error * error;
            time += span;
            pairs++;
        }
        double measured = pairs >= 3 ? sum / time * pairs / (pairs - 1) : 0;
        return Math.max(Math.max(mean, 1e-3), measured);
    }
}
