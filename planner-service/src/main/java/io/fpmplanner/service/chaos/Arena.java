/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.ServiceClock;
import io.fpmplanner.service.StartException;
import io.fpmplanner.service.config.HostPorts;
import io.fpmplanner.service.config.HttpSettings;
import io.fpmplanner.service.config.NatsSource;
import io.fpmplanner.service.config.NatsSubject;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.config.SourceSpec;
import io.fpmplanner.service.config.StateSettings;
import io.fpmplanner.service.config.TcpSource;
import io.fpmplanner.service.config.ZeroMqSettings;
import io.fpmplanner.service.config.ZeroMqSettings.Transport;
import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.GpuSpec;
import io.fpmplanner.sim.engine.NoisyLaw;
import io.fpmplanner.sim.engine.RooflineLaw;
import io.fpmplanner.sim.engine.TransformerSpec;
import io.fpmplanner.sim.fleet.Fleet;
import io.fpmplanner.sim.fleet.FleetListener;
import io.fpmplanner.sim.fleet.FleetSettings;
import io.fpmplanner.sim.fleet.LiveFleet;
import io.fpmplanner.sim.fleet.PoolSpec;
import io.fpmplanner.sim.fleet.PoolSpec.Replicas;
import io.fpmplanner.sim.fleet.Router;
import io.fpmplanner.sim.fleet.Traffic;
import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.LengthDistribution;
import io.fpmplanner.sim.workload.RequestStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A fleet of a fixed size under steady load, and the planner that watches it. The fleet needs all of its replicas, so
 * that any recommendation of fewer is wrong. Used by one thread; the plan may be read by any.
 */
final class Arena implements AutoCloseable {
    static final int REPLICAS = 4;
    static final double TICK_SECONDS = 0.25;
    private static final String HOST = "127.0.0.1";
    private static final String NAME = "engine-0.drill";
    private static final String POOL = "drill";
    /** Nearly what four such engines can serve within the objectives. */
    private static final double REQUESTS_PER_SECOND = 19;

    private static final TransformerSpec MODEL = TransformerSpec.LLAMA_3_1_8B;
    private static final GpuSpec GPU = GpuSpec.L40S;
    private static final EngineSettings ENGINE = EngineSettings.vllm(512, 128, MODEL.kvCapacityTokens(GPU));

    private final ServiceConfig config;
    private final NatsStand nats;
    private final Names names;
    private final Wire wire;
    private final LiveFleet fleet;
    private volatile PlannerService service;

    private Arena(ServiceConfig config, NatsStand nats, Names names, Wire wire, LiveFleet fleet) throws StartException {
        this.config = config;
        this.nats = nats;
        this.names = names;
        this.wire = wire;
        this.fleet = fleet;
        this.service = PlannerService.start(config, names);
    }

    /** Starts fleet and planner; the planner's state goes to the directory. */
    static Arena open(Path state, long seed) throws IOException, StartException {
        List<Integer> ports = freePorts();
        NatsStand nats = new NatsStand();
        ServiceClock clock = new ServiceClock();
        Wire wire = new Wire(HOST, ports, nats, seed);
        LiveFleet fleet =
                new LiveFleet(new Fleet(settings(clock.getAsLong(), seed), wire, new FleetListener() {}), clock);
        return new Arena(config(ports, nats.port(), state), nats, new Names(), wire, fleet);
    }

    private static List<Integer> freePorts() throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < REPLICAS - 1; i++) {
                held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    private static FleetSettings settings(long startNanos, long seed) {
        PoolSpec pool = new PoolSpec(
                POOL,
                ENGINE.as(EngineKind.AGGREGATED, 0),
                engine -> new NoisyLaw(new RooflineLaw(MODEL, GPU), NoisyLaw.Noise.calm(), engine),
                Router.LEAST_LOADED,
                new Replicas(REPLICAS, REPLICAS, REPLICAS, 1),
                null);
        RequestStream requests = new RequestStream(
                ArrivalRate.constant(REQUESTS_PER_SECOND),
                LengthDistribution.logNormal(1_200, 0.3, 64, 6_000),
                LengthDistribution.logNormal(120, 0.3, 8, 600),
                startNanos,
                seed);
        return new FleetSettings(
                List.of(pool), List.of(new Traffic(POOL, requests)), startNanos, 10_000_000_000L, seed);
    }

    /** All engines but the last publish over ZeroMQ, one of them found by its name; the last one over NATS. */
    private static ServiceConfig config(List<Integer> ports, int natsPort, Path state) {
        PoolSettings settings = new PoolSettings(
                POOL,
                MODEL.name(),
                Role.AGGREGATED,
                new SloTarget(2.0, 0.050, 0.9),
                new EngineLimits(
                        ENGINE.maxBatchedTokens(),
                        ENGINE.maxSequences(),
                        OptionalLong.of(ENGINE.kvCapacityTokens()),
                        SchedulingRule.DECODE_FIRST),
                new ScalingSettings(1, 2 * REPLICAS, 0.8, 10, 5),
                new LivenessSettings(2.5, 6));
        List<SourceSpec> sources = new ArrayList<>();
        for (int port : ports) {
            sources.add(new TcpSource(new HostPorts(sources.isEmpty() ? NAME : HOST, port, port)));
        }
        sources.add(new NatsSource(new HostPorts(HOST, natsPort, natsPort), new NatsSubject(NatsStand.SUBJECT)));
        return ServiceConfig.of(List.of(new PoolConfig(settings, sources)))
                .withHttp(HttpSettings.defaults().withPort(0))
                .withTickSeconds(TICK_SECONDS)
                .withZeromq(new ZeroMqSettings(Transport.SELECTOR, 1_000, 0.1, 0.25, 1, 65_536, List.of()))
                .withState(new StateSettings(Optional.of(state), 1));
    }

    Wire wire() {
        return wire;
    }

    NatsStand nats() {
        return nats;
    }

    Names names() {
        return names;
    }

    Path state() {
        return config.state().directory().orElseThrow();
    }

    String url() {
        return service.url();
    }

    /** The newest plan of the pool; empty before the first. */
    Optional<PoolPlan> plan() {
        return service.board().current().pools().stream().findFirst();
    }

    long planNanos() {
        return service.board().current().nowNanos();
    }

    /** The planner ends and another one takes over its state. */
    void restartPlanner() throws StartException {
        service.close();
        service = PlannerService.start(config, names);
    }

    @Override
    public void close() throws IOException {
        fleet.close();
        wire.close();
        service.close();
        nats.close();
    }
}
