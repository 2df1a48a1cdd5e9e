/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.RankCounters;
import io.fpmplanner.core.pool.RankView;
import io.fpmplanner.service.source.EndpointCounts;
import io.fpmplanner.service.source.EndpointStatus;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the metrics of single ranks and endpoints, at each scrape. There are as many as ranks, which a pool caps, so they
 * have a route of their own.
 */
final class RankCollector implements MultiCollector {
    private final MetricSources sources;
    private final Set<PlanMetric> faulty = ConcurrentHashMap.newKeySet();

    RankCollector(MetricSources sources) {
        this.sources = sources;
    }

    @Override
    public MetricSnapshots collect() {
        Families families = new Families(faulty);
        sources.endpoints().get().forEach(endpoint -> endpoint(families, endpoint));
        Optional<PlanView> plan = sources.plan().get();
        plan.ifPresent(view -> view.pools().forEach(pool -> pool(families, pool)));
        return families.snapshots();
    }

    private void endpoint(Families families, EndpointStatus status) {
        String pool = sources.poolIds().get(status.poolIndex());
        // Several entries may have a sum of former endpoints each.
        String endpoint = status.endpoint();
        EndpointCounts counts = status.counts();
        families.add(PlanMetric.ENDPOINT_FRAMES, counts.framesReceived(), pool, endpoint);
        families.add(PlanMetric.ENDPOINT_DROPPED, counts.framesDropped(), pool, endpoint);
        families.add(PlanMetric.ENDPOINT_LOST, counts.framesLost(), pool, endpoint);
        families.add(PlanMetric.ENDPOINT_PROTOCOL_ERRORS, counts.protocolErrors(), pool, endpoint);
        counts.rejected()
                .forEach((reason, count) ->
                        families.add(PlanMetric.ENDPOINT_REJECTED, count, pool, endpoint, lower(reason)));
    }

    private void pool(Families families, PoolPlan plan) {
        long nowNanos = sources.nanoClock().getAsLong();
        plan.pool().workers().forEach(worker -> worker.ranks().forEach(rank -> rank(families, plan, rank, nowNanos)));
    }

    private static void rank(Families families, PoolPlan plan, RankView rank, long nowNanos) {
        String[] labels = {
            plan.id(),
            rank.workerId(),
            Integer.toString(rank.dpRank()),
            rank.endpoint(),
            rank.publisherId() == FpmFrame.NO_PUBLISHER ? "" : Long.toString(rank.publisherId())
        };
        RankCounters counters = rank.counters();
        families.add(PlanMetric.RANK_FRAMES, counters.framesReceived(), labels);
        families.add(PlanMetric.RANK_FRAMES_LOST, counters.framesLost(), labels);
        families.add(PlanMetric.RANK_SEQUENCE_RESTARTS, counters.restarts(), labels);
        families.add(PlanMetric.RANK_HEARTBEATS, counters.heartbeats(), labels);
        families.add(PlanMetric.RANK_FRAME_AGE, Math.max(0, (nowNanos - rank.lastReceivedNanos()) / 1e9), labels);
        String[] withActivity = java.util.Arrays.copyOf(labels, labels.length + 1);
        withActivity[labels.length] = lower(rank.activity(plan.pool().nowNanos()));
        families.add(PlanMetric.RANK_ACTIVITY, 1, withActivity);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
