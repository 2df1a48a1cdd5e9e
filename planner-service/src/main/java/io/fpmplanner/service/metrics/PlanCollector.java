/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.core.scaling.ScalingStatus;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.RegimeReadiness;
import io.fpmplanner.service.source.EndpointCounts;
import io.fpmplanner.service.source.EndpointState;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.SourceFeed;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Makes the metrics of pools and sources from the newest plan and the sources' counters, at each scrape. */
final class PlanCollector implements MultiCollector {
    private final Supplier<Optional<PlanView>> plan;
    private final Supplier<List<EndpointStatus>> endpoints;
    private final List<String> poolIds;
    private final List<SourceFeed> feeds;
    private final LongSupplier nanoClock;
    private final String version;
    private final Set<PlanMetric> faulty = ConcurrentHashMap.newKeySet();

    PlanCollector(MetricSources sources, String version) {
        this.plan = sources.plan();
        this.endpoints = sources.endpoints();
        this.poolIds = sources.poolIds();
        this.feeds = sources.feeds();
        this.nanoClock = sources.nanoClock();
        this.version = version;
    }

    @Override
    public MetricSnapshots collect() {
        Families families = new Families(faulty);
        families.add(PlanMetric.BUILD_INFO, 1, version);
        for (SourceFeed feed : feeds) {
            families.add(
                    PlanMetric.HANDOFF_FRAMES, feed.ring().size(), feed.source().name());
            families.add(
                    PlanMetric.HANDOFF_CAPACITY,
                    feed.ring().capacity(),
                    feed.source().name());
        }
        endpoints(families);
        plan.get().ifPresent(view -> {
            families.add(PlanMetric.PLAN_AGE, Math.max(0, (nanoClock.getAsLong() - view.nowNanos()) / 1e9));
            view.pools().forEach(pool -> pool(families, pool, view.nowNanos()));
        });
        return families.snapshots();
    }

    private void endpoints(Families families) {
        for (String id : poolIds) {
            // Present from the start, so that the first rise of a counter is seen by rate().
            families.add(PlanMetric.FRAMES_RECEIVED, 0, id);
            families.add(PlanMetric.FRAMES_DROPPED, 0, id);
            families.add(PlanMetric.MESSAGES_LOST, 0, id);
            families.add(PlanMetric.MESSAGES_IGNORED, 0, id);
            families.add(PlanMetric.PROTOCOL_ERRORS, 0, id);
            for (EndpointState state : EndpointState.values()) {
                families.add(PlanMetric.ENDPOINTS, 0, id, lower(state));
            }
        }
        for (EndpointStatus endpoint : endpoints.get()) {
            String id = poolIds.get(endpoint.poolIndex());
            EndpointCounts counts = endpoint.counts();
            families.add(PlanMetric.FRAMES_RECEIVED, counts.framesReceived(), id);
            families.add(PlanMetric.FRAMES_DROPPED, counts.framesDropped(), id);
            families.add(PlanMetric.MESSAGES_LOST, counts.framesLost(), id);
            families.add(PlanMetric.MESSAGES_IGNORED, counts.messagesIgnored(), id);
            families.add(PlanMetric.PROTOCOL_ERRORS, counts.protocolErrors(), id);
            families.add(PlanMetric.ENDPOINTS, 1, id, lower(endpoint.state()));
            counts.rejected()
                    .forEach((reason, count) -> families.add(PlanMetric.FRAMES_REJECTED, count, id, lower(reason)));
        }
    }

    private void pool(Families families, PoolPlan plan, long planNanos) {
        PoolView pool = plan.pool();
        String id = plan.id();
        families.add(
                PlanMetric.POOL_INFO,
                1,
                id,
                lower(pool.settings().role()),
                pool.settings().model());
        families.add(PlanMetric.SLO_TTFT, pool.settings().slo().ttftSeconds(), id);
        families.add(PlanMetric.SLO_ITL, pool.settings().slo().itlSeconds(), id);
        families.add(PlanMetric.WORKERS, pool.fleet().live(), id, "live");
        families.add(PlanMetric.WORKERS, pool.fleet().stale(), id, "stale");
        families.add(PlanMetric.WORKERS, pool.fleet().gone(), id, "gone");
        families.add(PlanMetric.SLOW_WORKERS, pool.slowWorkers().size(), id);
        double sincePlan = Math.max(0, (nanoClock.getAsLong() - planNanos) / 1e9);
        families.add(PlanMetric.DATA_AGE, pool.dataAgeSeconds() + sincePlan, id);
        for (Evidence evidence : Evidence.values()) {
            families.add(
                    PlanMetric.EVIDENCE, plan.recommendation().evidence() == evidence ? 1 : 0, id, lower(evidence));
        }
        counters(families, pool, id);
        families.add(PlanMetric.KV_REPORTS, pool.kv().reports(), id);
        pool.kv().capacityTokensPerRank().ifPresent(tokens -> families.add(PlanMetric.KV_CAPACITY, tokens, id));
        families.add(PlanMetric.KV_USED, pool.kv().usedShare(), id);
        if (Known.load(pool)) {
            load(families, pool.load(), id);
            families.add(
                    PlanMetric.NEEDED_REPLICAS,
                    plan.recommendation().demand().neededReplicas(),
                    id,
                    lower(plan.recommendation().role()));
        }
        if (Known.replicas(pool)) {
            replicas(families, plan.recommendation(), id);
        }
        recommendation(families, plan);
        CalibrationMetrics.add(families, plan.calibration(), id);
        pool.model().snapshot().readiness().forEach(regime -> model(families, regime, id));
        pool.model().snapshot().report().prior().ifPresent(prior -> {
            families.add(PlanMetric.MODEL_PRIOR_WEIGHT, prior.prefillWeight(), id, "prefill");
            families.add(PlanMetric.MODEL_PRIOR_WEIGHT, prior.decodeWeight(), id, "decode");
            families.add(PlanMetric.MODEL_PRIOR_WEIGHT, prior.mixedWeight(), id, "mixed");
        });
    }

    private static void counters(Families families, PoolView pool, String id) {
        families.add(PlanMetric.HEARTBEATS, pool.counters().heartbeats(), id);
        families.add(PlanMetric.STEPS_LEARNED, pool.counters().stepsLearned(), id);
        families.add(PlanMetric.FRAMES_LOST, pool.counters().framesLost(), id);
        families.add(PlanMetric.RANK_RESTARTS, pool.counters().restarts(), id);
        families.add(
                PlanMetric.FRAMES_REFUSED,
                pool.doubts().ranksRefused() + pool.doubts().scopesRefused(),
                id);
        families.add(
                PlanMetric.MODEL_DRIFT_RESETS, pool.model().snapshot().report().driftResets(), id);
    }

    private static void load(Families families, PoolLoad load, String id) {
        families.add(PlanMetric.RUNNING_REQUESTS, load.running(), id);
        families.add(PlanMetric.QUEUED_REQUESTS, load.queuedPrefillRequests(), id, "prefill");
        families.add(PlanMetric.QUEUED_REQUESTS, load.queuedDecodeRequests(), id, "decode");
        families.add(PlanMetric.QUEUED_TOKENS, load.queuedPrefillTokens(), id, "prefill");
        families.add(PlanMetric.QUEUED_TOKENS, load.queuedDecodeKvTokens(), id, "decode");
        families.add(PlanMetric.BUSY_RATIO, load.busyShare(), id);
    }

    private static void replicas(Families families, Recommendation recommendation, String id) {
        String role = lower(recommendation.role());
        families.add(PlanMetric.CURRENT_REPLICAS, recommendation.fleet().current(), id, role);
        families.add(PlanMetric.READY_REPLICAS, recommendation.fleet().ready(), id, role);
        families.add(PlanMetric.PENDING_REPLICAS, recommendation.fleet().pending(), id, role);
    }

    private static void recommendation(Families families, PoolPlan plan) {
        Recommendation recommendation = plan.recommendation();
        String id = plan.id();
        String role = lower(recommendation.role());
        families.add(PlanMetric.SLO_ATTAINMENT, PoolFigures.sloAttainment(plan), id, role);
        families.add(PlanMetric.BACKLOG, PoolFigures.backlogSeconds(plan), id, role);
        families.add(PlanMetric.DESIRED_REPLICAS, recommendation.desired(), id, role);
        for (ScalingStatus status : ScalingStatus.values()) {
            families.add(
                    PlanMetric.RECOMMENDATION_STATUS, recommendation.status() == status ? 1 : 0, id, lower(status));
        }
        families.add(PlanMetric.RECOMMENDATION_REASON, 1, id, lower(recommendation.reason()));
        recommendation.predicted().ifPresent(predicted -> {
            spread(families, PlanMetric.PREDICTED_TTFT, predicted.ttft(), id, role);
            predicted.itl().ifPresent(itl -> spread(families, PlanMetric.PREDICTED_ITL, itl, id, role));
        });
    }

    private static void spread(Families families, PlanMetric metric, LatencySpread spread, String id, String role) {
        families.add(metric, spread.meanSeconds(), id, role, "mean");
        families.add(metric, spread.p50Seconds(), id, role, "p50");
        families.add(metric, spread.p90Seconds(), id, role, "p90");
        families.add(metric, spread.p99Seconds(), id, role, "p99");
    }

    private static void model(Families families, RegimeReadiness regime, String id) {
        String name = lower(regime.regime());
        families.add(PlanMetric.MODEL_FRAMES, regime.frames(), id, name);
        families.add(PlanMetric.MODEL_ERROR, regime.mape(), id, name);
        families.add(PlanMetric.MODEL_BIAS, regime.bias(), id, name);
        families.add(PlanMetric.MODEL_COVERAGE, regime.coverage50(), id, name, "50");
        families.add(PlanMetric.MODEL_COVERAGE, regime.coverage80(), id, name, "80");
        families.add(PlanMetric.MODEL_COVERAGE, regime.coverage90(), id, name, "90");
        families.add(PlanMetric.MODEL_COVERAGE, regime.coverage99(), id, name, "99");
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
