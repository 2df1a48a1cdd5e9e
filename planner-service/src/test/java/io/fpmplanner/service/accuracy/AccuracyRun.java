/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencyPredictor;
import io.fpmplanner.core.latency.LatencyQuery;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.sim.engine.BatchingOrder;
import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.engine.RequestLog;
import io.fpmplanner.sim.fleet.Fleet;
import io.fpmplanner.sim.fleet.FleetListener;
import io.fpmplanner.sim.fleet.StepChannel;
import io.fpmplanner.sim.publish.ForwardPassEncoder;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.WireDialect;
import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A simulated fleet with a planner that reads its frames, in virtual time, and what was predicted and then seen. */
final class AccuracyRun implements FleetListener, AutoCloseable {
    static final long SECOND = 1_000_000_000L;

    /** A prediction of a request's TTFT and what it was. */
    record Asked(double seconds, LatencyPrediction.Predicted predicted, double trueSeconds) {}

    /** Tokens after a gap. */
    record Gap(double seconds, double gapSeconds, double tokens) {}

    /** The plan of a pool at a tick. */
    record Tick(double seconds, PoolPlan plan) {}

    private record Open(double seconds, LatencyPrediction.Predicted predicted) {}

    private final Scenario scenario;
    private final Planner planner;
    private final LatencyPredictor predictor = new LatencyPredictor();
    private final Fleet fleet;
    private final List<Channel> channels = new ArrayList<>();
    private final FpmFrame frame = new FpmFrame();
    private final FpmDecoder decoder = new FpmDecoder();
    private final Map<Long, Open> open = new HashMap<>();
    private PlanView plan = new PlanView(0, List.of());
    private long nowNanos;
    private boolean counting;
    /** First tokens, not the last ones, of the step whose record comes next. */
    private int firstTokens;

    final List<Asked> asked = new ArrayList<>();
    final Map<String, List<Gap>> gaps = new HashMap<>();
    final Map<String, List<Tick>> ticks = new HashMap<>();
    final List<Double> ttft = new ArrayList<>();
    final List<Double> requestItl = new ArrayList<>();
    final List<Request> arrived = new ArrayList<>();
    long finished;

    AccuracyRun(Scenario scenario, ArrivalRate rate, long seed) {
        this.scenario = scenario;
        this.planner = new Planner(scenario.settings());
        this.fleet = new Fleet(scenario.fleet(rate, seed), this::open, this);
        for (String pool : List.of(Scenario.POOL, Scenario.DECODE)) {
            gaps.put(pool, new ArrayList<>());
            ticks.put(pool, new ArrayList<>());
        }
    }

    /** From now on predictions and latencies are kept. */
    AccuracyRun count() {
        counting = true;
        return this;
    }

    /** Plans once a second until that time. */
    AccuracyRun runTo(double seconds) {
        while (nowNanos < seconds * SECOND) {
            long next = nowNanos + SECOND;
            fleet.advanceTo(next);
            nowNanos = next;
            channels.forEach(channel -> channel.heartbeatIfSilent(next));
            plan = planner.tick(nowNanos);
            if (counting) {
                plan.pools().forEach(pool -> ticks.get(pool.id()).add(new Tick(nowNanos * 1e-9, pool)));
            }
        }
        return this;
    }

    PoolPlan plan(String pool) {
        return plan.pool(pool).orElseThrow();
    }

    List<PoolPlan> plans() {
        return plan.pools();
    }

    boolean isReady() {
        return plan.pools().stream().allMatch(pool -> pool.pool().evidence() == Evidence.READY);
    }

    private Channel open(String poolId, int slot, RankIdentity identity, long atNanos) {
        int index = poolId.equals(Scenario.POOL) ? 0 : 1;
        Channel channel =
                new Channel(poolId, index, "tcp://127.0.0.1:" + (20_000 + 100 * index + slot), identity.workerId());
        channels.add(channel);
        return channel;
    }

    @Override
    public void onArrival(String poolId, Request request) {
        if (!counting) {
            return;
        }
        arrived.add(request);
        Optional<PoolPlan> pool = plan.pool(poolId);
        if (pool.isPresent()
                && predictor.predict(pool.get().pool(), LatencyQuery.of(request.inputTokens()))
                        instanceof LatencyPrediction.Predicted known) {
            open.put(request.id(), new Open(fleet.nowNanos() * 1e-9, known));
        }
    }

    @Override
    public void onFirstToken(String poolId, Request request, long atNanos) {
        firstTokens += request.outputTokens() > 1 ? 1 : 0;
        if (counting) {
            double seconds = (atNanos - request.arrivalNanos()) * 1e-9;
            ttft.add(seconds);
            Open question = open.remove(request.id());
            if (question != null) {
                asked.add(new Asked(question.seconds(), question.predicted(), seconds));
            }
        }
    }

    @Override
    public void onFinished(String poolId, RequestLog log) {
        if (counting) {
            finished++;
            log.itlSeconds().ifPresent(requestItl::add);
        }
    }

    @Override
    public void close() {
        fleet.close();
    }

    /** A replica's stream: encoded, numbered, with heartbeats at whole seconds of silence. */
    private final class Channel implements StepChannel {
        private final String poolId;
        private final int poolIndex;
        private final String endpoint;
        private final String workerId;
        private final ForwardPassEncoder encoder = new ForwardPassEncoder(WireDialect.V1);
        private long sequence;
        private long lastNanos = nowNanos;
        private final TokenGaps between = new TokenGaps(scenario.engine().order() == BatchingOrder.PREFILL_FIRST);
        private boolean closed;

        Channel(String poolId, int poolIndex, String endpoint, String workerId) {
            this.poolId = poolId;
            this.poolIndex = poolIndex;
            this.endpoint = endpoint;
            this.workerId = workerId;
        }

        @Override
        public void publish(ForwardPassMetrics metrics, long endNanos) {
            send(metrics, endNanos);
            int first = firstTokens;
            firstTokens = 0;
            between.onStep(metrics, first, (seconds, tokens) -> {
                if (counting) {
                    gaps.get(poolId).add(new Gap(endNanos * 1e-9, seconds, tokens));
                }
            });
        }

        private void send(ForwardPassMetrics metrics, long atNanos) {
            byte[] payload = encoder.encode(metrics.withCounterId(sequence));
            if (decoder.decode(payload, 0, payload.length, frame) != null) {
                throw new IllegalStateException("own frame was rejected");
            }
            planner.onFrame(poolIndex, frame.arrival(endpoint, sequence++, atNanos));
            lastNanos = atNanos;
        }

        void heartbeatIfSilent(long now) {
            if (!closed && now - lastNanos >= SECOND) {
                send(ForwardPassMetrics.heartbeat(workerId, 0), now);
                between.clear();
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
