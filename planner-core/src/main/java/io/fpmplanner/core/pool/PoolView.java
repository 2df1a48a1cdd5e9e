/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.StepTimeSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * One pool at one moment, immutable and safe for any thread.
 *
 * @param settings what was configured, with a KV capacity that was not as reported, if it is
 * @param nowNanos the moment, on the caller's clock
 * @param fleet how many workers there are
 * @param workers all that are remembered, gone ones included, ordered by identity
 * @param endpoints where frames came from, ordered by address
 * @param load what the pool has to do and what kind of requests come
 * @param workload the same traffic with errors, and what was supplied
 * @param model what was learned of step times, for the timing scope most live ranks report
 * @param counters of all ranks since the start, those that are forgotten included, so that none ever falls
 * @param doubts frames that could not be used as they should
 * @param kv what engines say of their KV caches apart from frames
 */
public record PoolView(
        PoolSettings settings,
        long nowNanos,
        FleetView fleet,
        List<WorkerView> workers,
        List<EndpointView> endpoints,
        PoolLoad load,
        WorkloadView workload,
        ModelView model,
        RankCounters counters,
        Doubts doubts,
        KvView.Summary kv) {
    public PoolView {
        workers = List.copyOf(workers);
        endpoints = List.copyOf(endpoints);
    }

    /**
     * The model that predictions use.
     *
     * @param timingScope what its wall times span, as the engine says; empty when not said
     * @param snapshot what it learned
     * @param scopes timing scopes seen in this pool; more than one means engines that should not share a pool
     */
    public record ModelView(String timingScope, StepTimeSnapshot snapshot, int scopes) {}

    /**
     * Frames that could not be used as they should.
     *
     * @param ranksRefused frames of new ranks beyond the cap on ranks
     * @param scopesRefused frames of further timing scopes beyond the cap on models
     */
    public record Doubts(long ranksRefused, long scopesRefused) {}

    /** Limits of a rank: as configured, and where no KV capacity is configured the one that frames suggest. */
    public EngineLimits limits() {
        EngineLimits configured = settings.limits();
        if (configured.kvCapacityTokens().isPresent() || workers.isEmpty()) {
            return configured;
        }
        OptionalDouble learned =
                workers.get(0).ranks().get(0).requests().kvCapacityTokens().value();
        return learned.isEmpty() ? configured : configured.withKvCapacity(Math.max(1, (long) learned.getAsDouble()));
    }

    /** Ranks that are live. */
    public Stream<RankView> liveRanks() {
        // By loops: a stream a worker is what costs, and decisions ask again and again.
        List<RankView> live = new ArrayList<>(workers.size());
        for (WorkerView worker : workers) {
            for (RankView rank : worker.ranks()) {
                if (rank.state() == LivenessState.LIVE) {
                    live.add(rank);
                }
            }
        }
        return live.stream();
    }

    /** Workers that are not gone and surely slower than their peers. */
    public List<WorkerView> slowWorkers() {
        return workers.stream()
                .filter(worker ->
                        worker.state() != LivenessState.GONE && worker.speed().verdict() == SpeedVerdict.SLOW)
                .toList();
    }

    /** Seconds since the newest frame of any rank; infinite when none was ever seen. */
    public double dataAgeSeconds() {
        double least = Double.POSITIVE_INFINITY;
        for (WorkerView worker : workers) {
            for (RankView rank : worker.ranks()) {
                least = Math.min(least, (nowNanos - rank.lastReceivedNanos()) / 1e9);
            }
        }
        return Math.max(0, least);
    }

    /** What may be said of the pool as a whole: the model's evidence, or STALE when no rank is live. */
    public Evidence evidence() {
        Evidence learned = model.snapshot().evidence();
        return fleet.live() == 0 && learned != Evidence.COLD ? Evidence.STALE : learned;
    }
}
