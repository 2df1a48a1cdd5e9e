/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.sim.engine.Refusal;
import io.fpmplanner.sim.engine.RequestLog;
import io.fpmplanner.sim.fleet.FleetListener;
import io.fpmplanner.sim.workload.Request;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Asks the planner at each arrival what the request will see, and sets that beside what it then saw.
 *
 * <p>Called on the fleet's thread, which it never blocks; answers come on threads of the HTTP client.
 */
final class PredictionProbe implements FleetListener {
    /*
     * Like is compared with like: a request's TTFT is one draw, so it stands against the predicted median; its ITL is the
     * mean over its tokens, so it stands against the predicted mean.
     */
    private static final String TTFT_STATISTIC = "p50Seconds";
    private static final String ITL_STATISTIC = "meanSeconds";

    /** Beyond this many open questions an arrival is not asked about, so that a slow planner is not drowned. */
    private static final int MOST_OPEN = 64;

    /** A request of one of the two streams, which number their requests alike. */
    private record Key(String poolId, long requestId) {}

    private final PlannerClient planner;
    private final Map<String, PairedLatency> ttft;
    private final Map<String, PairedLatency> itl;
    private final Set<String> counting = ConcurrentHashMap.newKeySet();
    private final Map<Key, Question> open = new ConcurrentHashMap<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicLong skipped = new AtomicLong();
    private final Observations observations = new Observations();

    PredictionProbe(PlannerClient planner) {
        this.planner = planner;
        double ttftSlo = DemoScenario.SLO.ttftSeconds();
        double itlSlo = DemoScenario.SLO.itlSeconds();
        this.ttft = Map.of(
                DemoScenario.AGGREGATED, new PairedLatency(ttftSlo), DemoScenario.PREFILL, new PairedLatency(ttftSlo));
        this.itl = Map.of(
                DemoScenario.AGGREGATED, new PairedLatency(itlSlo), DemoScenario.DECODE, new PairedLatency(itlSlo));
    }

    /** From now on what is asked of a pool counts. */
    void startCounting(String poolId) {
        counting.add(poolId);
    }

    Optional<PairedLatency.Summary> ttft(String poolId) {
        return Optional.ofNullable(ttft.get(poolId)).flatMap(PairedLatency::summary);
    }

    Optional<PairedLatency.Summary> itl(String poolId) {
        return Optional.ofNullable(itl.get(poolId)).flatMap(PairedLatency::summary);
    }

    /** Arrivals that were not asked about because too many answers were open. */
    long skipped() {
        return skipped.get();
    }

    /** What requests saw and was not taken yet. */
    Observations observations() {
        return observations;
    }

    @Override
    public void onArrival(String poolId, Request request) {
        ask(poolId, request);
        if (poolId.equals(DemoScenario.PREFILL)) {
            ask(DemoScenario.DECODE, request);
        }
    }

    private void ask(String poolId, Request request) {
        if (!counting.contains(poolId)) {
            return;
        }
        if (asked.incrementAndGet() > MOST_OPEN) {
            asked.decrementAndGet();
            skipped.incrementAndGet();
            return;
        }
        CompletableFuture<Optional<JsonNode>> answer = planner.predict(poolId, request.inputTokens())
                .whenComplete((document, failure) -> asked.decrementAndGet());
        open.put(new Key(poolId, request.id()), new Question(answer));
    }

    @Override
    public void onFirstToken(String poolId, Request request, long nowNanos) {
        Question question = open.get(new Key(poolId, request.id()));
        PairedLatency pairs = ttft.get(poolId);
        if (pairs != null) {
            double seconds = (nowNanos - request.arrivalNanos()) * 1e-9;
            observations.add(poolId, new Observations.Observation("ttftSeconds", request.arrivalNanos(), seconds));
        }
        if (question != null && pairs != null) {
            question.pair("ttft", TTFT_STATISTIC, pairs, (nowNanos - request.arrivalNanos()) * 1e-9);
        }
        if (poolId.equals(DemoScenario.PREFILL)) {
            open.remove(new Key(poolId, request.id()));
        }
    }

    @Override
    public void onFinished(String poolId, RequestLog log) {
        Question question = open.remove(new Key(poolId, log.request().id()));
        PairedLatency pairs = itl.get(poolId);
        if (pairs != null) {
            log.itlSeconds()
                    .ifPresent(seconds -> observations.add(
                            poolId,
                            new Observations.Observation(
                                    "itlSeconds", log.request().arrivalNanos(), seconds)));
        }
        if (question != null && pairs != null) {
            log.itlSeconds().ifPresent(seconds -> question.pair("itl", ITL_STATISTIC, pairs, seconds));
        }
    }

    @Override
    public void onRefused(String poolId, Request request, Refusal refusal, long nowNanos) {
        open.remove(new Key(poolId, request.id()));
    }

    /** A prediction that was asked for; the answer is empty when the planner had none. */
    private record Question(CompletableFuture<Optional<JsonNode>> answer) {
        /** Once the answer is there, sets it beside what was measured. */
        void pair(String latency, String statistic, PairedLatency pairs, double measuredSeconds) {
            CompletableFuture<Void> unused = answer.thenAccept(
                    document -> document.map(known -> known.path(latency).path(statistic))
                            .filter(JsonNode::isNumber)
                            .ifPresent(predicted -> pairs.add(predicted.asDouble(), measuredSeconds)));
        }
    }
}
