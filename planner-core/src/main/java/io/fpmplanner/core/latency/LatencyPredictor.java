/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.latency.LatencyPrediction.SloShare;
import io.fpmplanner.core.pool.LivenessState;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.RankLoad;
import io.fpmplanner.core.pool.RankView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.models.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Predicts what a request will see now: TTFT by replaying the engine's scheduling rule over the present queue plus the
 * request, ITL from the coming steps of the running batch.
 *
 * <p>Unless a worker is named, the request is taken to land on any live rank alike. Stateless and threadsafe; same view
 * and query, same answer.
 */
public final class LatencyPredictor {
    /* Ranks are exchangeable: an even sample of this many stands for a larger pool at a bounded cost. */
    private static final int MAX_SAMPLED_RANKS = 32;

    /** What a request will see, or why that cannot be said. */
    public LatencyPrediction predict(PoolView pool, LatencyQuery query) {
        if (query.workerId().isPresent() && candidates(pool, query).findAny().isEmpty()) {
            return new LatencyPrediction.NoSuchWorker(query.workerId().get());
        }
        Optional<String> missing = missing(pool, query);
        if (missing.isPresent()) {
            return new LatencyPrediction.NotReady(
                    missing.get(), pool.model().snapshot().readiness());
        }
        StepTimes times = new StepTimes(pool);
        List<RankView> ranks = sample(reachable(pool, query));
        if (ranks.stream().anyMatch(rank -> rank.state() != LivenessState.LIVE)) {
            times.weaken(Evidence.STALE);
        }
        return predict(pool, query, ranks, times);
    }

    private static LatencyPrediction predict(PoolView pool, LatencyQuery query, List<RankView> ranks, StepTimes times) {
        double liveRanks = pool.liveRanks().count();
        boolean anyRuns = ranks.stream()
                .anyMatch(rank -> rank.load().decodeRequests() + rank.load().queuedDecodeRequests() > 0);
        WeightedSamples ttft = new WeightedSamples();
        WeightedSamples itl = new WeightedSamples();
        WeightedSamples requestItl = new WeightedSamples();
        TtftEstimate ttftEstimate = new TtftEstimate(times);
        ItlEstimate itlEstimate = new ItlEstimate(times);
        for (RankView rank : ranks) {
            times.at(rank.speed());
            List<RankLoad> states = states(pool, rank);
            double weight = 1.0 / states.size();
            for (RankLoad state : states) {
                RankMoment moment = RankMoment.of(pool, state, liveRanks);
                ttftEstimate.add(moment, query, weight, ttft);
                if (pool.settings().role() != Role.PREFILL) {
                    WeightedSamples gaps = new WeightedSamples();
                    itlEstimate.add(moment, rank.window(), weight, anyRuns ? 0 : 1, gaps);
                    itl.addAll(gaps);
                    requestItl.addMean(gaps);
                }
            }
        }
        return new LatencyPrediction.Predicted(
                ttft.spread(),
                itl.isEmpty() ? Optional.empty() : Optional.of(itl.spread()),
                sloShare(pool.settings().slo(), ttft, requestItl),
                ttftEstimate.meanWaitSeconds(),
                times.weakest(),
                pool.dataAgeSeconds());
    }

    /** A request's ITL is the mean over its many gaps, so a rank's requests meet the objective all or none. */
    private static SloShare sloShare(SloTarget slo, WeightedSamples ttft, WeightedSamples requestItl) {
        return new SloShare(
                ttft.shareWithin(slo.ttftSeconds()),
                requestItl.isEmpty()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(requestItl.shareWithin(slo.itlSeconds())));
    }

    /**
     * The states of the last second that the rank may as well be in when the request comes: those within two steps'
     * work and a quarter of the batch of the newest. Beyond that they are not noise but the past.
     */
    private static List<RankLoad> states(PoolView pool, RankView rank) {
        RankLoad newest = rank.load();
        double tokens = 2.0 * pool.settings().limits().maxBatchedTokens();
        double batch = Math.max(8, newest.decodeRequests() / 4);
        List<RankLoad> alike = rank.recentLoads().stream()
                .filter(load -> Math.abs(pending(load) - pending(newest)) <= tokens
                        && Math.abs(batch(load) - batch(newest)) <= batch)
                .toList();
        return alike.isEmpty() ? List.of(newest) : alike;
    }

    private static double pending(RankLoad load) {
        return load.unfinishedChunkTokens() + load.queuedPrefillTokens();
    }

    private static double batch(RankLoad load) {
        return load.decodeRequests() + load.queuedDecodeRequests();
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
        List<RankView> live = candidates(pool, query)
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
        return pool.workers().stream()
                .flatMap(worker -> worker.ranks().stream())
                .filter(rank ->
                        query.workerId().isEmpty() || query.workerId().get().equals(rank.workerId()));
    }

    private static List<RankView> sample(List<RankView> ranks) {
        if (ranks.size() <= MAX_SAMPLED_RANKS) {
            return ranks;
        }
        List<RankView> sample = new ArrayList<>(MAX_SAMPLED_RANKS);
        for (int i = 0; i < MAX_SAMPLED_RANKS; i++) {
            sample.add(ranks.get((int) ((long) i * ranks.size() / MAX_SAMPLED_RANKS)));
        }
        return sample;
    }
}
