/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.FrameView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.KvView;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.RankCounters;
import io.fpmplanner.core.pool.RankView;
import io.fpmplanner.core.pool.Speed;
import io.fpmplanner.core.pool.SpeedVerdict;
import io.fpmplanner.core.pool.StepMix;
import io.fpmplanner.service.source.EndpointCounts;
import io.fpmplanner.service.source.EndpointStatus;
import java.util.List;

/** The document of a pool's workers, their ranks and the endpoints they are reached at. */
final class WorkersJson {
    private WorkersJson() {}

    static ObjectNode write(PoolPlan plan, List<EndpointStatus> endpoints, long nowNanos) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("pool", plan.id());
        ArrayNode workers = node.putArray("workers");
        plan.pool().workers().forEach(worker -> {
            ObjectNode entry = workers.addObject()
                    .put("workerId", worker.workerId())
                    .put("state", worker.state().name());
            speed(entry, worker.speed());
            ArrayNode ranks = entry.putArray("ranks");
            worker.ranks()
                    .forEach(rank -> rank(ranks.addObject(), rank, plan.pool().nowNanos(), nowNanos));
        });
        PoolView.Doubts doubts = plan.pool().doubts();
        node.putObject("framesRefused")
                .put("ofRanks", doubts.ranksRefused())
                .put("ofTimingScopes", doubts.scopesRefused());
        ArrayNode list = node.putArray("endpoints");
        endpoints.forEach(endpoint -> endpoint(list.addObject(), endpoint));
        return node;
    }

    private static void rank(ObjectNode node, RankView rank, long planNanos, long nowNanos) {
        // As text: more than 53 bits do not survive a JSON number.
        boolean passedOn = rank.publisherId() != FpmFrame.NO_PUBLISHER;
        node.put("endpoint", rank.endpoint())
                .put("publisherId", passedOn ? Long.toString(rank.publisherId()) : null)
                .put("dpRank", rank.dpRank())
                .put("state", rank.state().name())
                .put("activity", rank.activity(planNanos).name())
                .put("incarnation", rank.incarnation());
        RankCounters counters = rank.counters();
        node.put("framesReceived", counters.framesReceived())
                .put("stepsLearned", counters.stepsLearned())
                .put("repeatedSteps", counters.repeatedSteps())
                .put("heartbeats", counters.heartbeats())
                .put("dummySteps", counters.dummySteps())
                .put("untimedSteps", counters.untimedSteps())
                .put("implausible", counters.implausible())
                .put("framesLost", counters.framesLost())
                .put("restarts", counters.restarts());
        if (rank.lastSequence() >= 0) {
            node.put("lastSequence", rank.lastSequence());
        } else {
            node.putNull("lastSequence");
        }
        Fields.number(node, "lastFrameAgeSeconds", Math.max(0, (nowNanos - rank.lastReceivedNanos()) / 1e9));
        frame(node.putObject("lastFrame"), rank.lastFrame());
        window(node.putObject("window"), rank.window());
        speed(node, rank.speed());
        rank.kv().ifPresentOrElse(kv -> kv(node.putObject("kv"), kv, nowNanos), () -> node.putNull("kv"));
    }

    private static void kv(ObjectNode node, KvView kv, long nowNanos) {
        node.put("endpoint", kv.endpoint());
        Fields.number(node, "ageSeconds", Math.max(0, (nowNanos - kv.receivedNanos()) / 1e9));
        Fields.number(node, "usedTokens", kv.usedTokens());
        Fields.number(node, "capacityTokens", kv.capacityTokens());
        Fields.number(node, "usedBlocks", kv.usedBlocks());
        Fields.number(node, "usedShare", kv.usedShare());
        Fields.number(node, "runningRequests", kv.runningRequests());
        Fields.number(node, "maxRequests", kv.maxRequests());
        Fields.number(node, "waitingRequests", kv.waitingRequests());
        Fields.number(node, "prefixHitShare", kv.prefixHitShare());
    }

    /** The factor is null while nothing can be said. */
    static void speed(ObjectNode node, Speed speed) {
        boolean known = speed.verdict() != SpeedVerdict.UNKNOWN;
        ObjectNode inner =
                node.putObject("speed").put("verdict", speed.verdict().name());
        Fields.number(inner, "factor", known ? speed.factor() : Double.NaN);
        Fields.number(inner, "standardError", known ? speed.standardError() : Double.NaN);
        inner.put("frames", speed.frames());
    }

    /** The frame by the names and in the nesting of the wire. */
    private static void frame(ObjectNode node, FrameView frame) {
        node.put("version", frame.version())
                .put("worker_id", frame.workerId())
                .put("dp_rank", frame.dpRank())
                .put("counter_id", frame.counterId());
        if (!frame.timingScope().isEmpty()) {
            node.put("timing_scope", frame.timingScope());
        }
        Fields.number(node, "wall_time", frame.wallTimeSeconds());
        FrameView.Scheduled scheduled = frame.scheduled();
        ObjectNode inner = node.putObject("scheduled_requests");
        inner.put("num_prefill_requests", scheduled.prefillRequests())
                .put("sum_prefill_tokens", scheduled.prefillTokens());
        Fields.number(inner, "var_prefill_length", scheduled.prefillLengthVariance());
        inner.put("sum_prefill_kv_tokens", scheduled.prefillKvTokens())
                .put("num_decode_requests", scheduled.decodeRequests())
                .put("sum_decode_kv_tokens", scheduled.decodeKvTokens());
        Fields.number(inner, "var_decode_kv_tokens", scheduled.decodeKvVariance());
        frame.prefixCached().ifPresent(cached -> prefixCached(inner, cached));
        queued(node.putObject("queued_requests"), frame.queued());
    }

    private static void prefixCached(ObjectNode node, FrameView.PrefixCached cached) {
        Fields.number(node, "sum_prefill_tokens_prefix_cached", cached.prefillTokens());
        Fields.number(node, "var_non_prefix_cached_prefill_length", cached.uncachedPrefillLengthVariance());
        Fields.number(node, "sum_decode_kv_tokens_prefix_cached", cached.decodeKvTokens());
        Fields.number(node, "var_decode_kv_tokens_prefix_cached", cached.decodeKvVariance());
    }

    private static void queued(ObjectNode node, FrameView.Queued queued) {
        node.put("num_prefill_requests", queued.prefillRequests()).put("sum_prefill_tokens", queued.prefillTokens());
        Fields.number(node, "var_prefill_length", queued.prefillLengthVariance());
        node.put("num_decode_requests", queued.decodeRequests()).put("sum_decode_kv_tokens", queued.decodeKvTokens());
        Fields.number(node, "var_decode_kv_tokens", queued.decodeKvVariance());
    }

    private static void window(ObjectNode node, StepMix window) {
        node.put("steps", window.steps())
                .put("decodeSteps", window.decodeSteps())
                .put("mixedSteps", window.mixedSteps())
                .put("stalls", window.stalls())
                .put("stalledSteps", window.stalledSteps())
                .put("decodeRequests", window.decodeRequests());
        Fields.number(node, "wallTimeSeconds", window.wallTimeSeconds());
        Fields.number(node, "spanSeconds", window.spanSeconds());
    }

    private static void endpoint(ObjectNode node, EndpointStatus endpoint) {
        EndpointCounts counts = endpoint.counts();
        node.put("endpoint", endpoint.endpoint())
                .put("source", endpoint.source())
                .put("state", endpoint.state().name())
                .put("detail", endpoint.detail().isEmpty() ? null : endpoint.detail())
                .put("framesReceived", counts.framesReceived())
                .put("framesDropped", counts.framesDropped())
                .put("framesLost", counts.framesLost())
                .put("messagesIgnored", counts.messagesIgnored())
                .put("protocolErrors", counts.protocolErrors())
                .put("connects", counts.connects());
        ObjectNode rejected = node.putObject("rejected");
        counts.rejected().forEach((reason, count) -> rejected.put(reason.name(), count));
    }
}
