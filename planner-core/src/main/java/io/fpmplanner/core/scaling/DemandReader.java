/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.SuppliedForecast;
import io.fpmplanner.core.pool.SuppliedTraffic;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.RegimeReadiness;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** What a pool has to serve and what one of its replicas can, tick by tick. Not threadsafe. */
final class DemandReader {
    /** From so few steps the order of magnitude of a capacity can be told, enough to grow on. */
    private static final int FEWEST_STEPS = 8;
    /** Steps picked seconds apart differ more than those in a row, and how fast they come is known besides. */
    private static final int FEWEST_SAMPLED_STEPS = 5;
    /** From so many it is known within a factor of two. */
    private static final int SOME_STEPS = 16;

    private static final PoolLoad.Traffic NO_TRAFFIC = new PoolLoad.Traffic(
            0,
            OptionalDouble.empty(),
            0,
            0,
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty());

    private final PoolSettings settings;
    private final DemandHistory history;
    private final QueueGrowth queueing;
    private final StepPace pace = new StepPace();
    private final SeasonWatch seasons;
    private Optional<SeasonOutlook> season = Optional.empty();
    private Optional<CurveBuilder.Service> service = Optional.empty();
    private DemandForecast arrivals = DemandForecast.NOTHING;
    private @Nullable DemandReader upstream;
    private @Nullable SuppliedForecast told;
    private @Nullable Course course;
    private boolean learned;
    private long steps;
    private double lookSeconds;
    private PoolLoad.Traffic traffic = NO_TRAFFIC;

    DemandReader(PoolSettings settings) {
        this.settings = settings;
        this.history = new DemandHistory(settings.role());
        this.seasons = new SeasonWatch(settings.id().hashCode());
        this.queueing = new QueueGrowth(settings.role());
    }

    void follow(DemandReader prefill) {
        upstream = prefill;
    }

    /** From now on this is expected, as long as it says something; null to go by what comes alone. */
    void supply(@Nullable SuppliedForecast forecast) {
        told = forecast;
    }

    /**
     * Takes one tick in.
     *
     * @param coldStartSeconds for which a fleet is planned
     */
    void read(PoolView pool, double coldStartSeconds) {
        boolean sampled = isSampled(pool);
        if (sampled) {
            pace.read(pool);
        } else {
            pace.clear();
        }
        double seconds = pool.load().tick().seconds();
        lookSeconds = !sampled ? 0 : seconds > 0 ? seconds : lookSeconds;
        traffic = sampled ? SampledLengths.of(pool, history) : SureLengths.of(pool);
        if (pool.fleet().live() > 0) {
            double arrived = history.add(pool.nowNanos(), pool.load(), kind(traffic), sampled);
            // What is not heard of is unknown, and so is what came then.
            if (pool.fleet().stale() == 0) {
                seasons.add(pool.nowNanos(), history.addedSeconds(), arrived, coldStartSeconds);
            }
        } else {
            history.clear();
        }
        season = seasons.outlook(pool.nowNanos(), coldStartSeconds);
        learned = pool.model().snapshot().evidence() == Evidence.READY;
        steps = stepsLearned(pool);
        if (learned || steps >= (sampled ? FEWEST_SAMPLED_STEPS : FEWEST_STEPS)) {
            CurveBuilder.build(pool, traffic, settings.slo().attainment(), pace)
                    .ifPresent(known -> service = Optional.of(known));
        }
        queueing.note(pool.nowNanos(), pool.load(), pool.fleet().live());
    }

    /** The demand after {@link #read}, with trends that last for the given time. */
    DemandHistory.Level level(PoolLoad load, double trendSeconds) {
        DemandHistory.Level level = history.level(kind(traffic), trendSeconds);
        OptionalDouble told =
                load.supplied().map(SuppliedTraffic::requestsPerSecond).orElse(OptionalDouble.empty());
        boolean unheard = level.isNothing() && told.isPresent();
        DemandForecast came = unheard
                ? new DemandForecast(told.getAsDouble(), 0, Math.sqrt(told.getAsDouble()), 0)
                : level.requests();
        arrivals = season.map(came::in).orElse(came);
        return level;
    }

    /** Sees the supplied forecast from a moment; once a tick, before {@link #expected}. */
    void look(long nowNanos, double coldStartSeconds) {
        SuppliedForecast now = told;
        if (now != null && now.isOver(nowNanos)) {
            told = null;
        }
        course = told == null ? null : new Course(told, nowNanos, coldStartSeconds, 1, 0);
    }

    /** Arrivals after {@link #level}: a decode pool's are on their way as soon as the prefill pool has them. */
    DemandForecast expected() {
        DemandReader before = upstream;
        boolean lengthKnown = traffic.outputTokens().isPresent();
        DemandForecast ahead = before == null || !lengthKnown ? DemandForecast.NOTHING : before.arrivals;
        DemandForecast more = isCounted(ahead) ? ahead : arrivals;
        DemandForecast came = ahead.season().map(more::in).orElse(more);
        Course expected = course == null && before != null ? before.course : course;
        return expected == null ? came : came.along(expected);
    }

    /**
     * Whether what arrives at the prefill pool says all. There requests are counted; here they are told by tokens of answers
     * of many lengths, which must say more than those explain.
     */
    private boolean isCounted(DemandForecast ahead) {
        double doubt = lookSeconds > 0 ? 0 : arrivals.deviation();
        return ahead.level() > 0 && ahead.level() > arrivals.level() - doubt;
    }

    /** From look to look where most frames are not seen; 0 where they are. */
    double lookSeconds() {
        return lookSeconds;
    }

    /** Whether step times are known well enough to shrink on. */
    boolean learned() {
        return learned;
    }

    /** How many times as large a fleet may be ordered on what is known of step times, before that is enough to shrink on. */
    int trustedGrowth() {
        return steps >= SOME_STEPS || (pace.isKnown() && steps >= FEWEST_STEPS) ? 4 : 2;
    }

    /** What requests are like, as it is taken to be. */
    PoolLoad.Traffic traffic() {
        return traffic;
    }

    /** What a replica can do; empty until enough was seen. */
    Optional<CurveBuilder.Service> service() {
        return service;
    }

    /** Replicas by the growth of the queue alone; 0 if that says nothing. */
    int neededByQueue(PoolView pool, int ready) {
        return queueing.needed(pool, ready);
    }

    /** Replicas by the time between tokens alone, where that is known from few steps; 0 if it says nothing. */
    int neededByPace(int ready) {
        return pace.needed(ready, settings.slo().itlSeconds());
    }

    ArrivalMemory memory() {
        return seasons.memory();
    }

    void restore(ArrivalMemory memory) {
        seasons.restore(memory);
    }

    /** When arrivals fell last; 0 if they did not. */
    long fellAtNanos() {
        return history.fellAtNanos();
    }

    void forget() {
        history.clear();
    }

    private DemandHistory.Kind kind(PoolLoad.Traffic told) {
        double decoded = service.map(known -> known.curve().tokensPerRequest())
                .orElse(told.outputTokens().orElse(0));
        return new DemandHistory.Kind(told.inputTokens().orElse(0), decoded);
    }

    /** Whether fewer than half of the frames that live ranks published were received. */
    private static boolean isSampled(PoolView pool) {
        long received = pool.liveRanks()
                .mapToLong(rank -> rank.counters().framesReceived())
                .sum();
        long lost =
                pool.liveRanks().mapToLong(rank -> rank.counters().framesLost()).sum();
        return lost > received;
    }

    /** Steps that the model of a pool was learned from. */
    static long stepsLearned(PoolView pool) {
        return pool.model().snapshot().readiness().stream()
                .mapToLong(RegimeReadiness::frames)
                .sum();
    }
}
