/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.Role;

/** The recent demand on a pool, tick by tick: its level, sudden changes and significant trend. Not threadsafe. */
final class DemandHistory {
    /*
     * The level is the mean of LEVEL_SECONDS. A shorter mean replaces it if it stands out by JUMP_SIGMAS of its own
     * standard error and by a fifth: a step in load must not wait for half a minute of averaging. On a slope any mean is
     * late by half its span, so the end of a straight line through the same ticks, less one standard error of that end,
     * counts where it is higher: on a load that rises eightfold in a minute this removes more than half of the missed
     * TTFT objectives for 3 % more replicas (the demo's scene, six seeds).
     * A trend counts only if it is significant over the long window and still visible over the last third of it, where
     * noise forbids a strict test; a step is then taken for a trend for a few seconds at most. Falling demand is not
     * extrapolated.
     */
    private static final double LEVEL_SECONDS = 30;
    private static final double SHORT_SECONDS = 6;
    private static final int SHORT_TICKS = 3;
    private static final double JUMP_SIGMAS = 3;
    private static final double JUMP_SHARE = 1.2;
    private static final double TREND_SECONDS = 60;
    private static final double TREND_T = 4;
    private static final double STILL_VISIBLE_T = 1;
    private static final int TREND_TICKS = 12;
    private static final double MAX_GROWTH = 1.5;
    private static final int CAPACITY = 256;

    private final Role role;
    private final long[] times = new long[CAPACITY];
    private final double[] seconds = new double[CAPACITY];
    private final double[] prefill = new double[CAPACITY];
    private final double[] decode = new double[CAPACITY];
    private final double[] requests = new double[CAPACITY];
    private final double[] backlog = new double[CAPACITY];
    private int size;
    private int newest = -1;

    DemandHistory(Role role) {
        this.role = role;
    }

    void add(long nowNanos, PoolLoad load) {
        PoolLoad.Tick tick = load.tick();
        if (tick.seconds() <= 0) {
            return;
        }
        newest = (newest + 1) % CAPACITY;
        size = Math.min(CAPACITY, size + 1);
        times[newest] = nowNanos;
        seconds[newest] = tick.seconds();
        prefill[newest] = tick.prefillTokens() + tick.queueGrowthTokens();
        decode[newest] = tick.decodeTokens();
        requests[newest] = tick.prefillsCompleted()
                + (role == Role.DECODE ? tick.decodeQueueGrowthRequests() : tick.queueGrowthRequests());
        double cached = load.traffic().cachedShare().orElse(0);
        backlog[newest] = role == Role.DECODE
                ? load.queuedDecodeRequests() * load.traffic().outputTokens().orElse(0)
                : load.queuedPrefillTokens() * (1 - cached);
    }

    void clear() {
        size = 0;
        newest = -1;
    }

    /**
     * The demand as it stands.
     *
     * @param prefillTokensPerSecond prompt tokens to compute that arrive
     * @param decodeTokensPerSecond tokens generated
     * @param requestsPerSecond arrivals
     * @param backlogTokens what has waited throughout the last ticks: a queue that comes and goes is no backlog
     * @param growth by how much demand will have risen after the horizon, 1 without a significant trend
     */
    record Level(
            double prefillTokensPerSecond,
            double decodeTokensPerSecond,
            double requestsPerSecond,
            double backlogTokens,
            double growth) {
        Level withoutGrowth() {
            return new Level(prefillTokensPerSecond, decodeTokensPerSecond, requestsPerSecond, backlogTokens, 1);
        }

        boolean isNothing() {
            return prefillTokensPerSecond <= 0 && decodeTokensPerSecond <= 0 && backlogTokens <= 0;
        }
    }

    Level level(double horizonSeconds) {
        double[] leading = role == Role.DECODE ? decode : prefill;
        return new Level(
                rate(prefill), rate(decode), rate(requests), standingBacklog(), growth(leading, horizonSeconds));
    }

    private int index(int age) {
        return Math.floorMod(newest - age, CAPACITY);
    }

    /** Number of the newest ticks that cover the given time, at least the given number if there are so many. */
    private int ticks(double span, int atLeast) {
        double covered = 0;
        int count = 0;
        while (count < size && (covered < span || count < atLeast)) {
            covered += seconds[index(count)];
            count++;
        }
        return count;
    }

    private double mean(double[] values, int ticks) {
        double sum = 0;
        double time = 0;
        for (int age = 0; age < ticks; age++) {
            sum += values[index(age)];
            time += seconds[index(age)];
        }
        return time > 0 ? Math.max(0, sum / time) : 0;
    }

    private double rate(double[] values) {
        int longTicks = ticks(LEVEL_SECONDS, SHORT_TICKS);
        int shortTicks = ticks(SHORT_SECONDS, SHORT_TICKS);
        double level = mean(values, longTicks);
        if (longTicks <= shortTicks + 2) {
            return level;
        }
        double recent = mean(values, shortTicks);
        double variance = 0;
        for (int age = 0; age < longTicks; age++) {
            double error = values[index(age)] / seconds[index(age)] - level;
            variance += error * error;
        }
        double standardError = Math.sqrt(variance / (longTicks - 1) / shortTicks);
        boolean jumped = recent > level + JUMP_SIGMAS * standardError && recent > JUMP_SHARE * level;
        return jumped ? recent : Math.max(level, line(values, longTicks).lowerEnd());
    }

    private double standingBacklog() {
        if (size < SHORT_TICKS) {
            return 0;
        }
        double least = Double.POSITIVE_INFINITY;
        for (int age = 0; age < SHORT_TICKS; age++) {
            least = Math.min(least, backlog[index(age)]);
        }
        return least;
    }

    private double growth(double[] values, double horizonSeconds) {
        int longTicks = ticks(TREND_SECONDS, TREND_TICKS);
        int shortTicks = ticks(TREND_SECONDS / 3, TREND_TICKS / 2);
        if (longTicks < TREND_TICKS || longTicks <= shortTicks) {
            return 1;
        }
        double slope = Math.min(
                significantSlope(values, longTicks, TREND_T), significantSlope(values, shortTicks, STILL_VISIBLE_T));
        double level = mean(values, shortTicks);
        if (slope <= 0 || level <= 0) {
            return 1;
        }
        double halfShort = (times[newest] - times[index(shortTicks - 1)]) / 2e9;
        return Math.min(MAX_GROWTH, 1 + slope * (horizonSeconds + halfShort) / level);
    }

    /** Slope of a least squares line, per second, or 0 if it is not significant (Student's t too low). */
    private double significantSlope(double[] values, int ticks, double leastT) {
        Line line = line(values, ticks);
        return Math.abs(line.slope()) > leastT * line.slopeError() ? line.slope() : 0;
    }

    /**
     * A least squares line through the rates of the newest ticks.
     *
     * @param slope per second
     * @param slopeError its standard error
     * @param lowerEnd its value at the newest tick, less one standard error of that value
     */
    private record Line(double slope, double slopeError, double lowerEnd) {}

    private Line line(double[] values, int ticks) {
        double meanTime = 0;
        double meanValue = 0;
        for (int age = 0; age < ticks; age++) {
            meanTime += time(age) / ticks;
            meanValue += values[index(age)] / seconds[index(age)] / ticks;
        }
        double timeSquares = 0;
        double products = 0;
        double valueSquares = 0;
        for (int age = 0; age < ticks; age++) {
            double dt = time(age) - meanTime;
            double dv = values[index(age)] / seconds[index(age)] - meanValue;
            timeSquares += dt * dt;
            products += dt * dv;
            valueSquares += dv * dv;
        }
        if (timeSquares <= 0) {
            return new Line(0, 0, 0);
        }
        double slope = products / timeSquares;
        double residual = Math.max(0, valueSquares - slope * products) / Math.max(1, ticks - 2);
        double endError = Math.sqrt(residual * (1.0 / ticks + meanTime * meanTime / timeSquares));
        return new Line(slope, Math.sqrt(residual / timeSquares), meanValue - slope * meanTime - endError);
    }

    private double time(int age) {
        return (times[index(age)] - times[newest]) / 1e9;
    }
}
