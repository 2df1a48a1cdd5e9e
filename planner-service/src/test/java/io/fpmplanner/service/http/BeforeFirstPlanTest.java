/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.latency.LatencyPredictor;
import io.fpmplanner.core.planner.PlanBoard;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.access.Audit;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.InterfaceSettings;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.metrics.MetricSources;
import io.fpmplanner.service.metrics.ServiceMetrics;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.vertx.core.Vertx;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The REST interface beside a planner that has not planned yet, or does no more. */
class BeforeFirstPlanTest {
    private static final long START_NANOS = 1_800_000_000_000_000_000L;

    @Test
    void itIsNotReadyBeforeTheFirstPlanAndNotAliveWhenPlansStop() throws Exception {
        ServiceConfig config = ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1"),
                        List.of("http.port=0"))
                .config();
        AtomicLong now = new AtomicLong(START_NANOS);
        PlanBoard board = new PlanBoard(ServiceView.NO_PLAN);
        ServiceView view = new ServiceView(config, board, List::of, () -> true, now::get, new LatencyPredictor());
        ServiceMetrics metrics = new ServiceMetrics(
                new MetricSources(view::plan, List::of, List.of("chat"), List.of(), now::get), "test");
        RestVerticle verticle = new RestVerticle(
                view,
                metrics,
                new ScalerSignals(InterfaceSettings.Undecided.REFUSE, now::get, view::stalled),
                new Audit(now::get),
                List.of());
        Vertx vertx = Vertx.vertx();
        try {
            vertx.deployVerticle(verticle)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
            RestClient rest = new RestClient("http://127.0.0.1:" + verticle.port());

            assertThat(rest.get("/readyz").statusCode()).isEqualTo(503);
            assertThat(rest.get("/readyz").body()).contains("[-]first-plan failed", "readyz check failed");
            assertThat(rest.get("/livez").statusCode()).isEqualTo(200);
            HttpResponse<String> pools = rest.get("/v1/pools");
            assertThat(pools.statusCode()).isEqualTo(503);
            assertThat(pools.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(pools.headers().firstValue("Content-Type")).hasValue("application/problem+json");
            assertThat(rest.post("/v1/pools/chat/predictions", "{\"inputTokens\":1}")
                            .statusCode())
                    .isEqualTo(503);

            Planner planner = new Planner(
                    config.pools().stream().map(PoolConfig::settings).toList());
            board.publish(planner.tick(now.get()));
            assertThat(rest.get("/readyz").statusCode()).isEqualTo(200);
            assertThat(rest.get("/v1/pools").statusCode()).isEqualTo(200);

            now.addAndGet(TimeUnit.SECONDS.toNanos(11));
            assertThat(rest.get("/livez").statusCode()).isEqualTo(503);
            assertThat(rest.get("/readyz").body()).contains("[-]planning failed");
            // Old plans are still shown, with their age.
            assertThat(rest.get("/v1/pools").statusCode()).isEqualTo(200);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
            metrics.close();
        }
    }
}
