/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.Role;

/** The recent demand on a pool in requests, whichever of its frames' figures tells most. Not threadsafe. */
final class DemandHistory {
    /*
     * Requests are counted where prompts are computed. Lengths are means over minutes: when they change, tokens tell
     * first that the same number of requests has become more work. If the tokens of KIND_SECONDS exceed what the
     * counted requests explain by OTHER_KIND, so much more work is demanded.
     *
     * A decode pool counts tokens alone: joins are seen in consecutive steps only. Tokens decoded tell what was admitted
     * before: a batch that grows has taken in more work than it decodes, one that drains less, by half of a mean
     * answer for each request, since those that run are half done on average.
     */
    private static final double OTHER_KIND = 1.25;
    private static final double KIND_SECONDS = 30;
    private static final double ASSUMED_TOKENS = 256;
    private static final int STANDING_TICKS = 3;

    private final Role role;
    private final RateSeries requests = new RateSeries();
    private final RateSeries prefillTokens = new RateSeries();
    private final RateSeries decodeTokens = new RateSeries();
    private final RateSeries admitted = new RateSeries();
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
        double decoded = tick.decodeTokens() + takenIn(load, decodedTokens);
        double counted = role == Role.DECODE
                ? decoded / (decodedTokens > 0 ? decodedTokens : ASSUMED_TOKENS)
                : tick.prefillsCompleted() + tick.queueGrowthRequests();
        requests.add(nowNanos, tick.seconds(), counted);
        prefillTokens.add(nowNanos, tick.seconds(), tick.prefillTokens() + tick.queueGrowthTokens());
        decodeTokens.add(nowNanos, tick.seconds(), decoded);
        admitted.add(nowNanos, tick.seconds(), tick.prefillsCompleted());
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
        admitted.clear();
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
        DemandForecast counted = requests.forecast(trendSeconds);
        double kind = role == Role.DECODE ? 1 : kind(promptTokens, decodedTokens);
        return new Level(
                prefillTokens.mean(KIND_SECONDS),
                decodeTokens.mean(KIND_SECONDS),
                kind > OTHER_KIND ? counted.times(kind) : counted,
                standing());
    }

    /** When arrivals fell last; 0 if they did not. */
    long fellAtNanos() {
        return requests.fellAtNanos();
    }

    /** Work of the newest requests against that of as many of the mean lengths: of those that came, or that began. */
    private double kind(double promptTokens, double decodedTokens) {
        if (requests.seconds() < KIND_SECONDS) {
            return 1;
        }
        double byPrompt = ratio(prefillTokens, requests, promptTokens);
        return role == Role.AGGREGATED ? Math.max(byPrompt, ratio(decodeTokens, admitted, decodedTokens)) : byPrompt;
    }

    private static double ratio(RateSeries tokens, RateSeries counted, double tokensEach) {
        double expected = counted.mean(KIND_SECONDS) * tokensEach;
        return expected > 0 ? tokens.mean(KIND_SECONDS) / expected : 1;
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
}
