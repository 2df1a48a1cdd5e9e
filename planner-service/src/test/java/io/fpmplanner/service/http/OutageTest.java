/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.metrics.MetricSources;
import io.fpmplanner.service.metrics.ServiceMetrics;
import io.fpmplanner.service.source.EndpointCounts;
import io.fpmplanner.service.source.EndpointState;
import io.fpmplanner.service.source.EndpointStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is not known, or does not apply, is null in documents and absent from metrics. */
class OutageTest {
    private static final long START_NANOS = 1_800_000_000_000_000_000L;
    private static final List<String> LOAD_METRICS = List.of(
            "fpm_planner_running_requests",
            "fpm_planner_queued_requests",
            "fpm_planner_queued_tokens",
            "fpm_planner_busy");
    private static final List<String> REPLICAS = List.of("currentReplicas", "readyReplicas", "pendingReplicas");

    private final Planner planner = planner();

    @Test
    void aPoolThatIsHeardOfShowsItsLoadAndReplicas() throws IOException {
        frame();
        PlanView plan = planner.tick(START_NANOS + 1);

        JsonNode document = PoolJson.document(plan.pools().get(0), 0);
        assertThat(document.at("/load/runningRequests").asDouble()).isEqualTo(8);
        assertThat(document.at("/load/queuedPrefillRequests").asDouble()).isEqualTo(3);
        assertThat(document.at("/recommendation/readyReplicas").asInt()).isEqualTo(1);
        assertThat(scrape(plan, 1))
                .contains("fpm_planner_running_requests{pool=\"chat\"} 8.0")
                .contains("current_replicas");
    }

    @Test
    void aSilentRankHasNoKnownLoadButIsStillAReplica() throws IOException {
        frame();
        planner.tick(START_NANOS + 1);
        PlanView plan = planner.tick(START_NANOS + TimeUnit.SECONDS.toNanos(10));

        assertThat(plan.pools().get(0).pool().fleet().stale()).isEqualTo(1);
        JsonNode document = PoolJson.document(plan.pools().get(0), 0);
        assertThat(document.get("load")).isNotEmpty().allMatch(JsonNode::isNull);
        assertThat(document.at("/recommendation/demand").isNull()).isTrue();
        assertThat(document.at("/recommendation/readyReplicas").isNumber()).isTrue();
        assertThat(scrape(plan, 1)).doesNotContain(LOAD_METRICS).contains("current_replicas");
    }

    @Test
    void whenNobodyIsHeardOfNothingIsZero() throws IOException {
        frame();
        planner.tick(START_NANOS + 1);
        PlanView plan = planner.tick(START_NANOS + TimeUnit.HOURS.toNanos(1));

        PoolPlan pool = plan.pools().get(0);
        assertThat(pool.pool().fleet().live() + pool.pool().fleet().stale()).isZero();
        JsonNode document = PoolJson.document(pool, 0);
        assertThat(document.get("load")).isNotEmpty().allMatch(JsonNode::isNull);
        assertThat(PoolJson.summary(pool, 0).get("load")).isNotEmpty().allMatch(JsonNode::isNull);
        assertThat(PoolJson.summary(pool, 0).get("currentReplicas").isNull()).isTrue();
        assertThat(REPLICAS)
                .allMatch(name -> document.get("recommendation").get(name).isNull());
        assertThat(scrape(plan, 1))
                .doesNotContain(LOAD_METRICS)
                .doesNotContain("current_replicas", "ready_replicas", "pending_replicas", "needed_replicas")
                .contains("fpm_planner_workers");
    }

    @Test
    void anOrchestratorsWordCountsWithoutTelemetry() throws IOException {
        planner.supplyFleet(0, 4, 1);
        PlanView plan = planner.tick(START_NANOS);

        assertThat(RecommendationJson.write(plan.pools().get(0), 0)
                        .get("readyReplicas")
                        .asInt())
                .isEqualTo(4);
        assertThat(scrape(plan, 1)).contains("fpm_planner_ready_replicas{pool=\"chat\",role=\"aggregated\"} 4.0");
    }

    @Test
    void whatARoleDoesNotDoIsNull() {
        frame();
        PoolPlan plan = planner.tick(START_NANOS + 1).pools().get(0);

        ObjectNode prefill = RecommendationJson.write(ofRole(plan, Role.PREFILL), 0);
        assertThat(nulls(prefill.get("capacity")))
                .containsExactlyInAnyOrder("batch", "decodeTokensPerSecond", "itlSeconds");
        ObjectNode decode = RecommendationJson.write(ofRole(plan, Role.DECODE), 0);
        assertThat(nulls(decode.get("capacity"))).containsExactlyInAnyOrder("prefillTokensPerSecond", "ttftSeconds");
        ObjectNode aggregated = RecommendationJson.write(ofRole(plan, Role.AGGREGATED), 0);
        assertThat(nulls(aggregated.get("capacity"))).isEmpty();
    }

    @Test
    void aCounterBelowZeroCostsOnlyItself() throws IOException {
        PlanView plan = planner.tick(START_NANOS);

        assertThat(scrape(plan, -3))
                .contains("fpm_planner_protocol_errors_total{pool=\"chat\"} 0.0")
                .contains("fpm_planner_frames_received_total{pool=\"chat\"} 0.0")
                .contains("fpm_planner_workers");
    }

    private void frame() {
        FpmFrame frame = new FpmFrame();
        frame.clearPayload()
                .workerId("w")
                .counterId(1)
                .wallTimeSeconds(0.02)
                .scheduledDecode(8, 8_000, 0)
                .queuedPrefill(3, 3_000, 0);
        frame.arrival("tcp://127.0.0.1:1", 0, START_NANOS);
        planner.onFrame(0, frame);
    }

    private static Planner planner() {
        try {
            return new Planner(ConfigLoader.load(
                            Optional.empty(),
                            Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1"),
                            List.of())
                    .config()
                    .pools()
                    .stream()
                    .map(PoolConfig::settings)
                    .toList());
        } catch (io.fpmplanner.service.config.ConfigException e) {
            throw new AssertionError(e);
        }
    }

    private static String scrape(PlanView plan, long framesReceived) throws IOException {
        EndpointStatus endpoint = new EndpointStatus(
                0,
                "tcp://127.0.0.1:1",
                "tcp://127.0.0.1:1",
                EndpointState.CONNECTED,
                "",
                new EndpointCounts(framesReceived, 0, 0, 0, Map.of(), 0, 1));
        try (ServiceMetrics metrics = new ServiceMetrics(
                new MetricSources(
                        () -> Optional.of(plan),
                        () -> List.of(endpoint),
                        List.of("chat"),
                        List.of(),
                        () -> START_NANOS),
                "test")) {
            ByteArrayOutputStream exposition = new ByteArrayOutputStream();
            metrics.scrape("text/plain; version=0.0.4; charset=utf-8", exposition);
            return exposition.toString(StandardCharsets.UTF_8);
        }
    }

    private static PoolPlan ofRole(PoolPlan plan, Role role) {
        Recommendation r = plan.recommendation();
        Recommendation.ReplicaCapacity capacity =
                new Recommendation.ReplicaCapacity(4, 5, 6, OptionalDouble.of(7), 0.8, 9, 10, true, Evidence.READY);
        return new PoolPlan(
                plan.pool(),
                plan.latency(),
                new Recommendation(
                        r.poolId(),
                        role,
                        r.status(),
                        r.desired(),
                        r.fleet(),
                        r.reason(),
                        r.message(),
                        r.limitedBy(),
                        r.predicted(),
                        r.outlook(),
                        r.demand(),
                        Optional.of(capacity),
                        r.evidence(),
                        r.advisory(),
                        r.decidedAtNanos(),
                        r.validUntilNanos()));
    }

    private static List<String> nulls(JsonNode node) {
        return node.properties().stream()
                .filter(entry -> entry.getValue().isNull())
                .map(Map.Entry::getKey)
                .toList();
    }
}
