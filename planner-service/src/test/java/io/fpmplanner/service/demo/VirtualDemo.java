/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencyPredictor;
import io.fpmplanner.core.latency.LatencyQuery;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.scaling.ScalingStatus;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.engine.RequestLog;
import io.fpmplanner.sim.fleet.Fleet;
import io.fpmplanner.sim.fleet.FleetListener;
import io.fpmplanner.sim.fleet.PoolState;
import io.fpmplanner.sim.fleet.StepChannel;
import io.fpmplanner.sim.publish.ForwardPassEncoder;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.WireDialect;
import io.fpmplanner.sim.workload.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The demo in virtual time: the same fleet, load and planner, with encoded frames handed over in place of sockets. */
final class VirtualDemo implements FleetListener {
    static final long SECOND = 1_000_000_000L;

    /** What a pool looked like at one tick. */
    record Moment(double seconds, PoolPlan plan, PoolState state) {}

    private final List<PoolSettings> settings;
    private final Planner planner;
    private final LatencyPredictor predictor = new LatencyPredictor();
    private final Fleet fleet;
    private final List<Channel> channels = new ArrayList<>();
    private final FpmFrame frame = new FpmFrame();
    private final FpmDecoder decoder = new FpmDecoder();
    private final Map<String, LatencyPrediction> asked = new HashMap<>();
    final Map<String, PairedLatency> ttft = new HashMap<>();
    final Map<String, PairedLatency> itl = new HashMap<>();
    final Map<String, List<Moment>> moments = new HashMap<>();
    private PlanView plan = new PlanView(0, List.of());
    private long nowNanos;

    VirtualDemo(DemoPorts ports, long seed) {
        this.settings = DemoScenario.service(ports, 0).pools().stream()
                .map(PoolConfig::settings)
                .toList();
        this.planner = new Planner(settings);
        settings.forEach(pool -> {
            ttft.put(pool.id(), new PairedLatency(pool.slo().ttftSeconds()));
            itl.put(pool.id(), new PairedLatency(pool.slo().itlSeconds()));
            moments.put(pool.id(), new ArrayList<>());
        });
        this.fleet = new Fleet(DemoScenario.fleet(0, seed), this::open, this);
    }

    /** Runs to that time, planning each second and following what was recommended. */
    void runTo(int seconds) {
        while (nowNanos < seconds * SECOND) {
            long next = nowNanos + SECOND;
            fleet.advanceTo(next);
            nowNanos = next;
            channels.forEach(channel -> channel.heartbeatIfSilent(next));
            plan = planner.tick(nowNanos);
            Map<String, PoolState> states = new HashMap<>();
            fleet.state().forEach(state -> states.put(state.id(), state));
            for (PoolPlan pool : plan.pools()) {
                moments.get(pool.id()).add(new Moment(nowNanos * 1e-9, pool, states.get(pool.id())));
                if (pool.recommendation().status() != ScalingStatus.UNDECIDED) {
                    pool.recommendation().desired().ifPresent(desired -> fleet.scaleTo(pool.id(), desired));
                }
            }
        }
    }

    private Channel open(String poolId, int slot, RankIdentity identity, long openedNanos) {
        int index = settings.stream().map(PoolSettings::id).toList().indexOf(poolId);
        Channel channel = new Channel(index, "tcp://127.0.0.1:" + (20_000 + 100 * index + slot), identity.workerId());
        channels.add(channel);
        return channel;
    }

    @Override
    public void onArrival(String poolId, Request request) {
        ask(poolId, request);
        if (poolId.equals(DemoScenario.PREFILL)) {
            ask(DemoScenario.DECODE, request);
        }
    }

    private void ask(String poolId, Request request) {
        plan.pool(poolId)
                .filter(pool -> pool.pool().evidence() == Evidence.READY)
                .ifPresent(pool -> asked.put(
                        poolId + request.id(), predictor.predict(pool.pool(), LatencyQuery.of(request.inputTokens()))));
    }

    @Override
    public void onFirstToken(String poolId, Request request, long atNanos) {
        if (asked.get(poolId + request.id()) instanceof LatencyPrediction.Predicted known) {
            ttft.get(poolId).add(known.ttft().p50Seconds(), (atNanos - request.arrivalNanos()) * 1e-9);
        }
    }

    @Override
    public void onFinished(String poolId, RequestLog log) {
        if (asked.remove(poolId + log.request().id()) instanceof LatencyPrediction.Predicted known
                && known.itl().isPresent()
                && log.itlSeconds().isPresent()) {
            itl.get(poolId)
                    .add(known.itl().get().meanSeconds(), log.itlSeconds().getAsDouble());
        }
    }

    /** A replica's stream: encoded, numbered, with heartbeats at whole seconds of silence. */
    private final class Channel implements StepChannel {
        private final int poolIndex;
        private final String endpoint;
        private final String workerId;
        private final ForwardPassEncoder encoder = new ForwardPassEncoder(WireDialect.V1);
        private long sequence;
        private long lastNanos = nowNanos;
        private boolean closed;

        Channel(int poolIndex, String endpoint, String workerId) {
            this.poolIndex = poolIndex;
            this.endpoint = endpoint;
            this.workerId = workerId;
        }

        @Override
        public void publish(ForwardPassMetrics metrics, long endNanos) {
            send(metrics, endNanos);
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
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
