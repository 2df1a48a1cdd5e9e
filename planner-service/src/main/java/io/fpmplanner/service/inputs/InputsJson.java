/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.inputs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.LivenessState;
import io.fpmplanner.core.pool.RankView;
import io.fpmplanner.service.http.Fields;
import io.fpmplanner.service.source.EndpointCounts;
import io.fpmplanner.service.source.EndpointState;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.RejectSample;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/** The inputs of one pool as JSON. */
final class InputsJson {
    private InputsJson() {}

    static void write(
            ObjectNode node, PoolPlan plan, List<EndpointStatus> endpoints, List<RejectSample> samples, long nowNanos) {
        node.put("pool", plan.id());
        ObjectNode states = node.putObject("endpoints");
        for (EndpointState state : EndpointState.values()) {
            long count = endpoints.stream()
                    .filter(endpoint -> endpoint.state() == state)
                    .count();
            if (count > 0) {
                states.put(state.name(), count);
            }
        }
        EndpointCounts counts =
                endpoints.stream().map(EndpointStatus::counts).reduce(EndpointCounts.NONE, EndpointCounts::plus);
        List<RankView> ranks = plan.pool().workers().stream()
                .flatMap(worker -> worker.ranks().stream())
                .toList();
        ranks(node, plan, ranks, nowNanos);
        node.put("framesReceived", counts.framesReceived())
                .put("framesDropped", counts.framesDropped())
                .put(
                        "framesLost",
                        counts.framesLost() + sum(ranks, rank -> rank.counters().framesLost()))
                .put("heartbeats", sum(ranks, rank -> rank.counters().heartbeats()))
                .put("restarts", sum(ranks, rank -> rank.counters().restarts()))
                .put("implausible", sum(ranks, rank -> rank.counters().implausible()))
                .put("messagesIgnored", counts.messagesIgnored())
                .put("protocolErrors", counts.protocolErrors());
        ObjectNode rejected = node.putObject("rejected");
        counts.rejected().forEach((reason, count) -> rejected.put(reason.name(), count));
        ArrayNode list = node.putArray("rejectSamples");
        samples.forEach(sample -> sample(list.addObject(), sample));
    }

    private static void ranks(ObjectNode parent, PoolPlan plan, List<RankView> ranks, long nowNanos) {
        ObjectNode node = parent.putObject("ranks");
        for (LivenessState state : LivenessState.values()) {
            node.put(
                    state.name(),
                    ranks.stream().filter(rank -> rank.state() == state).count());
        }
        parent.put("workers", plan.pool().fleet().live() + plan.pool().fleet().stale());
        OptionalDouble newest =
                ranks.stream().mapToDouble(rank -> age(rank, nowNanos)).min();
        OptionalDouble oldest = ranks.stream()
                .filter(rank -> rank.state() != LivenessState.GONE)
                .mapToDouble(rank -> age(rank, nowNanos))
                .max();
        Fields.number(parent, "newestFrameAgeSeconds", newest);
        Fields.number(parent, "longestSilenceSeconds", oldest);
    }

    private static double age(RankView rank, long nowNanos) {
        return Math.max(0, (nowNanos - rank.lastReceivedNanos()) / 1e9);
    }

    private static long sum(List<RankView> ranks, ToLongFunction<RankView> count) {
        return ranks.stream().mapToLong(count).sum();
    }

    private static void sample(ObjectNode node, RejectSample sample) {
        node.put("reason", sample.reason().name())
                .put("why", sample.reason().sentence())
                .put("endpoint", sample.endpoint());
        if (!sample.field().isEmpty()) {
            node.put("field", sample.field());
        }
        Fields.time(node, "at", sample.atNanos());
        node.put("bytes", sample.bytes()).put("prefix", sample.prefix());
    }
}
