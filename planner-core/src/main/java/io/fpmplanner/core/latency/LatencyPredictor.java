/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.LivenessState;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.RankView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.models.Evidence;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Predicts what a request will see now: TTFT by playing the engine's scheduling rule forward over the present queue plus
 * the request, ITL from the coming steps of the running batch.
 *
 * <p>Unless a worker is named, the request goes where the pool's router seems to send requests. Threadsafe; same view and
 * query, same answer. The first answer from a view takes a millisecond or two, further ones tens of microseconds.
 */
public final class LatencyPredictor {
    private static final String ANY_WORKER = "";

    /** By pool, what was worked out for its newest view. */
    private final Map<String, Forecasts> newest = new ConcurrentHashMap<>();

    /** Of one view, by worker. */
    private record Forecasts(PoolView view, Map<String, LatencyForecast> byWorker) {
        @SuppressWarnings("ReferenceEquality") // A view is worked out once; an equal one is another moment.
        boolean isOf(PoolView pool) {
            return view == pool;
        }
    }

    /** What a request will see, or why that cannot be said. */
    public LatencyPrediction predict(PoolView pool, LatencyQuery query) {
        Optional<LatencyPrediction> excuse = excuse(pool, query);
        return excuse.isPresent() ? excuse.get() : forecast(pool, query).predict(query);
    }

    /** What requests of the lengths that the pool sees will see, or why that cannot be said. */
    public LatencyPrediction typical(PoolView pool) {
        Forecasts known = newest.get(pool.settings().id());
        LatencyForecast forecast =
                known == null || !known.isOf(pool) ? null : known.byWorker().get(ANY_WORKER);
        if (forecast != null) {
            return forecast.typical();
        }
        LatencyQuery query = LatencyQuery.typical(pool);
        Optional<LatencyPrediction> excuse = excuse(pool, query);
        return excuse.isPresent() ? excuse.get() : forecast(pool, query).typical();
    }

    private LatencyForecast forecast(PoolView pool, LatencyQuery query) {
        Forecasts known = newest.get(pool.settings().id());
        if (known == null || !known.isOf(pool)) {
            known = new Forecasts(pool, new ConcurrentHashMap<>());
            newest.put(pool.settings().id(), known);
        }
        return known.byWorker()
                .computeIfAbsent(query.workerId().orElse(ANY_WORKER), worker -> forecast(pool, reachable(pool, query)));
    }

    private static LatencyForecast forecast(PoolView pool, List<RankView> ranks) {
        boolean stale = ranks.stream().anyMatch(rank -> rank.state() != LivenessState.LIVE);
        return new LatencyForecast(pool, new RankTrials(pool, ranks).run(), stale);
    }

    private static Optional<LatencyPrediction> excuse(PoolView pool, LatencyQuery query) {
        if (query.workerId().isPresent() && candidates(pool, query).findAny().isEmpty()) {
            return Optional.of(
                    new LatencyPrediction.NoSuchWorker(query.workerId().get()));
        }
        return missing(pool, query)
                .map(sentence -> new LatencyPrediction.NotReady(
                        sentence, pool.model().snapshot().readiness()));
    }

    private static Optional<String> missing(PoolView pool, LatencyQuery query) {
        if (pool.model().snapshot().evidence() == Evidence.COLD) {
            return Optional.of("no step of this pool was learned from yet");
        }
        StepTimes times = new StepTimes(pool);
        if (pool.settings().role() != Role.DECODE && !times.knowsPrefill()) {
            return Optional.of("no step with prefill was learned from yet");
        }
        if (pool.settings().role() != Role.PREFILL && !times.knowsDecode()) {
            return Optional.of("no step with decodes was learned from yet");
        }
        if (reachable(pool, query).isEmpty()) {
            return Optional.of("no rank is heard of any more");
        }
        return Optional.empty();
    }

    /** Live ranks; if there is none, stale ones, whose last known state is better than nothing and is marked so. */
    private static List<RankView> reachable(PoolView pool, LatencyQuery query) {
        List<RankView> live = query.workerId().isEmpty()
                ? pool.liveRanks().toList()
                : candidates(pool, query)
                        .filter(rank -> rank.state() == LivenessState.LIVE)
                        .toList();
        if (!live.isEmpty()) {
            return live;
        }
        return candidates(pool, query)
                .filter(rank -> rank.state() == LivenessState.STALE)
                .toList();
    }

    private static Stream<RankView> candidates(PoolView pool, LatencyQuery query) {
        Stream<RankView> ranks = pool.workers().stream().flatMap(worker -> worker.ranks().stream());
        return query.workerId().isEmpty()
                ? ranks
                : ranks.filter(rank -> query.workerId().get().equals(rank.workerId()));
    }
}
