/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.scaling.ScalingStatus;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.StartException;
import io.fpmplanner.service.config.ServiceConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A planner that has never heard of any of its pools hears of all of them in the same moment, and keeps on hearing. */
final class NewPoolsDrill {
    static final double RECOVERY_SECONDS = 3;

    private static final int POOLS = 100;
    private static final int WORKERS = 2;
    private static final int STEPS_AT_ONCE = 5;
    private static final double ROUND_SECONDS = 0.1;
    private static final double TICK_SECONDS = 0.25;
    private static final double MOST_SECONDS = 20;

    private final PlannerService service;
    private final HttpClient client = HttpClient.newHttpClient();
    private long step;
    private int tooFew;
    private int refused;
    private double oldestPlanSeconds;

    private NewPoolsDrill(PlannerService service) {
        this.service = service;
    }

    static Drill.Outcome run(Watch watch) throws IOException, InterruptedException, StartException {
        try (PlannerService service = PlannerService.start(config())) {
            return new NewPoolsDrill(service).hear(watch);
        }
    }

    private static ServiceConfig config() {
        List<String> settings = new ArrayList<>(List.of("http.port=0", "tickSeconds=" + TICK_SECONDS));
        for (int i = 0; i < POOLS; i++) {
            settings.add("pools[" + i + "].id=new-" + i);
            settings.add("pools[" + i + "].sources=http");
        }
        return DrillConfig.of(settings);
    }

    private Drill.Outcome hear(Watch watch) throws IOException, InterruptedException {
        long start = System.nanoTime();
        double decided = Double.NaN;
        while (Double.isNaN(decided) && seconds(start) < MOST_SECONDS) {
            post();
            watch.during(ROUND_SECONDS);
            decided = look() ? seconds(start) : Double.NaN;
        }
        boolean all = !Double.isNaN(decided);
        return new Drill.Outcome(
                all && tooFew == 0 && refused == 0,
                String.format(
                        Locale.ROOT,
                        "%d pools decided after %.1f s and %d steps each, oldest plan %.2f s, %d too few, %d posts"
                                + " refused",
                        POOLS,
                        decided,
                        WORKERS * step,
                        oldestPlanSeconds,
                        tooFew,
                        refused),
                all ? decided : MOST_SECONDS);
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    /** A few steps of every worker of every pool. */
    private void post() throws IOException, InterruptedException {
        StringBuilder frames = new StringBuilder();
        for (int repeat = 0; repeat < STEPS_AT_ONCE; repeat++) {
            step++;
            for (int pool = 0; pool < POOLS; pool++) {
                for (int worker = 0; worker < WORKERS; worker++) {
                    frames.append(frame(pool, worker)).append('\n');
                }
            }
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(service.url() + "/v1/frames?endpoint=chaos"))
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(frames.toString()))
                .build();
        if (client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() != 200) {
            refused++;
        }
    }

    /** Decode steps of requests that come and go. */
    private String frame(int pool, int worker) {
        long running = 4 + (step + pool) % 8;
        return String.format(
                Locale.ROOT,
                "{\"pool\":\"new-%d\",\"worker_id\":\"w%d\",\"counter_id\":%d,\"wall_time\":%.6f,"
                        + "\"scheduled_requests\":{\"num_prefill_requests\":1,\"sum_prefill_tokens\":200,"
                        + "\"num_decode_requests\":%d,\"sum_decode_kv_tokens\":%d}}",
                pool,
                worker,
                step,
                0.02 + 0.0002 * running,
                running,
                1_000 * running);
    }

    /** Whether every pool is decided on what was learned of it. */
    private boolean look() {
        PlanView plan = service.board().current();
        oldestPlanSeconds = Math.max(oldestPlanSeconds, (planNow() - plan.nowNanos()) / 1e9);
        boolean all = true;
        for (PoolPlan pool : plan.pools()) {
            int desired = pool.recommendation().desired().orElse(Integer.MAX_VALUE);
            tooFew += desired < pool.pool().fleet().live() ? 1 : 0;
            Evidence evidence = pool.pool().evidence();
            all &= pool.recommendation().status() != ScalingStatus.UNDECIDED
                    && (evidence == Evidence.READY || evidence == Evidence.EXTRAPOLATING);
        }
        return all;
    }

    private static long planNow() {
        return System.currentTimeMillis() * 1_000_000;
    }
}
