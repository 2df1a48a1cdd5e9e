/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SuppliedTraffic;
import java.util.OptionalDouble;

/** The recent demand on a pool in requests, whichever of its frames' figures tells most. Not threadsafe. */
final class DemandHistory {
    /*
     * Requests are counted where prompts are computed. Lengths are means over minutes: when they change, tokens tell
     * first that the same number of requests has become more work. If the tokens of KIND_SECONDS exceed what the
     * counted requests explain by OTHER_KIND and SURE standard errors of the mean of so many lengths, which vary about as
     * much as they are long, so much more work is demanded.
     *
     * A decode pool counts tokens alone: joins are seen in consecutive steps only. So does any pool of which only a sample
     * of the frames is seen, since a prompt in one of a hundred steps tells little, the size of the batch a lot. Tokens decoded tell what was admitted
     * before: a batch that grows has taken in more work than it decodes, one that drains less, by half of a mean
     * answer for each request, since those that run are half done on average. How long answers are is known well only
     * after a minute. Of a stream seen whole what came is therefore kept in tokens: counted by the length of its time and weighed by that
     * of now, a decode pool was given three times the replicas that it needed.
     */
    private static final double OTHER_KIND = 1.25;
    private static final double SURE = 2;
    private static final double KIND_SECONDS = 30;
    private static final int STANDING_TICKS = 3;
    private static final double RATIO_SECONDS = 240;

    private final Role role;
    private final RateSeries requests = new RateSeries();
    private final RateSeries prefillTokens = new RateSeries();
    private final RateSeries decodeTokens = new RateSeries();
    private final RateSeries admitted = new RateSeries();
    private final double[] waiting = new double[STANDING_TICKS];
    private int ticks;
    private double runningBefore;
    private boolean wholeStream = true;
    private boolean sampledStream;
    private double queuedBefore;
    private long addedNanos;
    private double addedSeconds;

    DemandHistory(Role role) {
        this.role = role;
    }

    /**
     * Adds one tick; returns how many requests arrived in it.
     *
     * @param kind mean lengths of a request
     * @param sampled whether most frames are not seen
     */
    double add(long nowNanos, PoolLoad load, Kind kind, boolean sampled) {
        PoolLoad.Tick tick = load.tick();
        double takenIn = takenIn(load);
        double decoded = tick.decodeTokens() + kind.decodedTokens() * takenIn;
        double prefilled = tick.prefillTokens() + tick.queueGrowthTokens();
        OptionalDouble told =
                load.supplied().map(SuppliedTraffic::requestsPerSecond).orElse(OptionalDouble.empty());
        wholeStream = !sampled && told.isEmpty();
        sampledStream = sampled && told.isEmpty();
        // Who counts requests goes on counting while no frames come.
        addedSeconds = told.isPresent() && ticks > 0 ? (nowNanos - addedNanos) / 1e9 : tick.seconds();
        addedNanos = nowNanos;
        double arrived;
        if (role == Role.DECODE && wholeStream) {
            requests.read(Sight.DECODED, kind.decodedOrAssumed());
            requests.add(nowNanos, tick.seconds(), takenIn, tick.decodeTokens());
            arrived = takenIn + tick.decodeTokens() / kind.decodedOrAssumed();
        } else {
            arrived = told.isPresent()
                    ? told.getAsDouble() * addedSeconds
                    : counted(tick, kind, sampled, decoded / kind.decodedOrAssumed());
            requests.read(sampledStream ? Sight.SAMPLED : Sight.COUNTED, kind.decodedOrAssumed());
            requests.add(nowNanos, addedSeconds, arrived);
        }
        prefillTokens.add(nowNanos, tick.seconds(), prefilled);
        decodeTokens.add(nowNanos, tick.seconds(), decoded);
        admitted.add(nowNanos, tick.seconds(), tick.prefillsCompleted());
        waiting[ticks % STANDING_TICKS] = waitingNow(load);
        ticks++;
        return arrived;
    }

    /** The time that the arrivals of the newest tick came in, in seconds; 0 if it tells of none. */
    double addedSeconds() {
        return addedSeconds;
    }

    /** Arrivals of a tick, each of them seen or most of them not. */
    private double counted(PoolLoad.Tick tick, Kind kind, boolean sampled, double byDecodes) {
        double seen = tick.prefillsCompleted() + tick.queueGrowthRequests();
        double prefilled = tick.prefillTokens() + tick.queueGrowthTokens();
        return switch (role) {
            case DECODE -> byDecodes;
            case PREFILL -> sampled && kind.promptTokens() > 0 ? prefilled / kind.promptTokens() : seen;
            case AGGREGATED -> sampled ? byDecodes + tick.queueGrowthRequests() : seen;
        };
    }

    /** Requests that came in and were not decoded, by tokens; negative when more were decoded than came in. */
    private double takenIn(PoolLoad load) {
        double grown = ticks == 0 ? 0 : load.running() - runningBefore;
        double queued = ticks == 0 ? 0 : load.queuedDecodeRequests() - queuedBefore;
        runningBefore = load.running();
        queuedBefore = load.queuedDecodeRequests();
        return grown / 2 + queued;
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
     * Mean lengths of a request.
     *
     * @param promptTokens tokens to compute of its prompt; 0 if not known
     * @param decodedTokens tokens decoded of it; 0 if not known
     */
    record Kind(double promptTokens, double decodedTokens) {
        private static final double ASSUMED_TOKENS = 256;

        double decodedOrAssumed() {
            return decodedTokens > 0 ? decodedTokens : ASSUMED_TOKENS;
        }
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
     * @param kind mean lengths of a request
     * @param trendSeconds how far a trend is trusted to go on
     */
    Level level(Kind kind, double trendSeconds) {
        DemandForecast counted = requests.forecast(trendSeconds);
        double heavier = role == Role.DECODE ? 1 : heavier(kind);
        return new Level(
                prefillTokens.mean(KIND_SECONDS),
                decodeTokens.mean(KIND_SECONDS),
                heavier > OTHER_KIND + SURE / Math.sqrt(Math.max(1, KIND_SECONDS * requests.mean(KIND_SECONDS)))
                        ? counted.times(heavier)
                        : counted,
                standing());
    }

    /** Prompt tokens computed for each token decoded, over minutes; NaN if nothing was decoded. */
    double prefillPerDecode() {
        double decoded = decodeTokens.mean(RATIO_SECONDS);
        return decoded > 0 ? prefillTokens.mean(RATIO_SECONDS) / decoded : Double.NaN;
    }

    /** When arrivals fell last; 0 if they did not. */
    long fellAtNanos() {
        return requests.fellAtNanos();
    }

    /** Work of the newest requests against that of as many of the mean lengths: of those that came, or that began. */
    private double heavier(Kind kind) {
        if (requests.seconds() < KIND_SECONDS || !wholeStream) {
            return 1;
        }
        double byPrompt = ratio(prefillTokens, requests, kind.promptTokens());
        return role == Role.AGGREGATED
                ? Math.max(byPrompt, ratio(decodeTokens, admitted, kind.decodedTokens()))
                : byPrompt;
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
