/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.Role;

/** The recent demand on a pool in requests, whichever of its frames' figures tells most. Not threadsafe. */
final class DemandHistory {
    /*
     * Requests are counted where prompts are computed. Lengths are means over minutes: when they change, tokens tell
     * first that the same number of requests has become more work, so a token rate that stands for OTHER_KIND times
     * the counted requests counts instead. A decode pool counts tokens alone: joins are seen in consecutive steps only.
     *
     * Tokens decoded tell what was admitted before. A batch that grows has taken in more work than it decodes, one that
     * drains less: half of a mean answer for each request, since those that run are half done on average.
     */
    private static final double OTHER_KIND = 1.2;
    private static final int STANDING_TICKS = 3;

    private final Role role;
    private final RateSeries requests = new RateSeries();
    private final RateSeries prefillTokens = new RateSeries();
    private final RateSeries decodeTokens = new RateSeries();
    private final double[] waiting = new double[STANDING_TICKS];
    private int ticks;
    private double runningBefore;
    private double queuedBefore;

    DemandHistory(Role role) {
        this.role = role;
    }

    /**
     * Adds one tick.
     *
     * @param decodedTokens mean tokens decoded of a request; 0 if not known
     */
    void add(long nowNanos, PoolLoad load, double decodedTokens) {
        PoolLoad.Tick tick = load.tick();
        requests.add(nowNanos, tick.seconds(), tick.prefillsCompleted() + tick.queueGrowthRequests());
        prefillTokens.add(nowNanos, tick.seconds(), tick.prefillTokens() + tick.queueGrowthTokens());
        decodeTokens.add(nowNanos, tick.seconds(), tick.decodeTokens() + takenIn(load, decodedTokens));
        waiting[ticks % STANDING_TICKS] = waitingNow(load);
        ticks++;
    }

    /** Tokens to decode that came in and were not decoded; negative when more were decoded than came in. */
    private double takenIn(PoolLoad load, double decodedTokens) {
        double grown = ticks == 0 ? 0 : load.running() - runningBefore;
        double queued = ticks == 0 ? 0 : load.queuedDecodeRequests() - queuedBefore;
        runningBefore = load.running();
        queuedBefore = load.queuedDecodeRequests();
        return decodedTokens * (grown / 2 + queued);
    }

    private double waitingNow(PoolLoad load) {
        return role == Role.DECODE ? load.queuedDecodeRequests() : load.queuedPrefillRequests();
    }

    void clear() {
        requests.clear();
        prefillTokens.clear();
        decodeTokens.clear();
        ticks = 0;
    }

    /**
     * The demand as it stands.
     *
     * @param prefillTokensPerSecond prompt tokens to compute that arrive
     * @param decodeTokensPerSecond tokens generated
     * @param requests arrivals in requests of the mean lengths, and what is forecast of them
     * @param standingRequests what has waited throughout the last ticks: a queue that comes and goes is no backlog
     */
    record Level(
            double prefillTokensPerSecond,
            double decodeTokensPerSecond,
            DemandForecast requests,
            double standingRequests) {
        boolean isNothing() {
            return requests.level() <= 0 && prefillTokensPerSecond <= 0 && decodeTokensPerSecond <= 0;
        }
    }

    /**
     * The demand over the newest ticks.
     *
     * @param promptTokens mean tokens to compute of a prompt; 0 if not known
     * @param decodedTokens mean tokens decoded of a request; 0 if not known
     * @param trendSeconds how far a trend is trusted to go on
     */
    Level level(double promptTokens, double decodedTokens, double trendSeconds) {
        DemandForecast byPrefill = prefillTokens.forecast(trendSeconds);
        DemandForecast byDecode = decodeTokens.forecast(trendSeconds);
        return new Level(
                byPrefill.level(),
                byDecode.level(),
                inRequests(byPrefill, byDecode, promptTokens, decodedTokens, trendSeconds),
                standing());
    }

    private DemandForecast inRequests(
            DemandForecast byPrefill,
            DemandForecast byDecode,
            double promptTokens,
            double decodedTokens,
            double trendSeconds) {
        DemandForecast decoded = decodedTokens > 0 ? byDecode.times(1 / decodedTokens) : DemandForecast.NOTHING;
        if (role == Role.DECODE) {
            return decoded;
        }
        DemandForecast counted = requests.forecast(trendSeconds);
        DemandForecast prefilled = promptTokens > 0 ? byPrefill.times(1 / promptTokens) : DemandForecast.NOTHING;
        DemandForecast most = counted;
        if (prefilled.level() > OTHER_KIND * most.level()) {
            most = prefilled;
        }
        return role == Role.AGGREGATED && decoded.level() > OTHER_KIND * most.level() ? decoded : most;
    }

    private double standing() {
        if (ticks < STANDING_TICKS) {
            return 0;
        }
        double least = Double.POSITIVE_INFINITY;
        for (double each : waiting) {
            least = Math.min(least, each);
        }
        return least;
    }

    /** Prompts computed per second over the newest seconds: what a fleet that is never idle is capable of. */
    double arrivalsPerSecond(double span) {
        return role == Role.DECODE ? decodeTokens.mean(span) : requests.mean(span);
    }
}
