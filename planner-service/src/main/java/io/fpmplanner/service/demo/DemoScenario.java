/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.service.config.HostPorts;
import io.fpmplanner.service.config.HttpSettings;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.config.TcpSource;
import io.fpmplanner.service.config.ZeroMqSettings;
import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.GpuSpec;
import io.fpmplanner.sim.engine.NoisyLaw;
import io.fpmplanner.sim.engine.RooflineLaw;
import io.fpmplanner.sim.engine.TransformerSpec;
import io.fpmplanner.sim.fleet.FleetSettings;
import io.fpmplanner.sim.fleet.PoolSpec;
import io.fpmplanner.sim.fleet.PoolSpec.Replicas;
import io.fpmplanner.sim.fleet.Router;
import io.fpmplanner.sim.fleet.Traffic;
import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.LengthDistribution;
import io.fpmplanner.sim.workload.RequestStream;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What the demo runs: engines, load, and the service's configuration for them. */
final class DemoScenario {
    /*
     * One L40S with Llama-3.1-8B holds about 5 requests/s of 1,200 + 120 tokens within 50 ms between tokens; as a pair a
     * prefill replica holds about 9 requests/s and a decode replica about as many of 150 output tokens. The loads below thus
     * need one replica at the bottom of the cycle and four to six at its top.
     */
    static final String AGGREGATED = "agg";
    static final String PREFILL = "prefill";
    static final String DECODE = "decode";

    static final List<String> POOLS = List.of(AGGREGATED, PREFILL, DECODE);

    static final double CYCLE_SECONDS = 120;
    static final double COLD_START_SECONDS = 5;
    static final int SLOTS = 12;
    static final SloTarget SLO = new SloTarget(2.0, 0.050, 0.9);

    private static final int HIGHEST = 8;
    private static final TransformerSpec MODEL = TransformerSpec.LLAMA_3_1_8B;
    private static final GpuSpec GPU = GpuSpec.L40S;
    private static final long RECENT_NANOS = 10_000_000_000L;
    private static final long TRANSFER_NANOS = 15_000_000;
    private static final EngineSettings ENGINE = EngineSettings.vllm(512, 128, MODEL.kvCapacityTokens(GPU));

    private DemoScenario() {}

    /** The simulated side, beginning now. */
    static FleetSettings fleet(long startNanos, long seed) {
        return new FleetSettings(
                List.of(
                        pool(AGGREGATED, EngineKind.AGGREGATED, null),
                        pool(PREFILL, EngineKind.PREFILL_ONLY, DECODE),
                        pool(DECODE, EngineKind.DECODE_ONLY, null)),
                List.of(
                        traffic(AGGREGATED, ArrivalRate.riseAndFall(3, 22, CYCLE_SECONDS), 120, startNanos, seed),
                        traffic(PREFILL, ArrivalRate.riseAndFall(4, 32, CYCLE_SECONDS), 150, startNanos, seed + 1)),
                startNanos,
                RECENT_NANOS,
                seed);
    }

    private static PoolSpec pool(String id, EngineKind kind, @Nullable String handOverTo) {
        return new PoolSpec(
                id,
                ENGINE.as(kind, TRANSFER_NANOS),
                seed -> new NoisyLaw(new RooflineLaw(MODEL, GPU), NoisyLaw.Noise.calm(), seed),
                Router.LEAST_LOADED,
                new Replicas(1, HIGHEST, SLOTS, (long) (COLD_START_SECONDS * 1e9)),
                handOverTo);
    }

    private static Traffic traffic(String poolId, ArrivalRate rate, int outputTokens, long startNanos, long seed) {
        return new Traffic(
                poolId,
                new RequestStream(
                        rate,
                        LengthDistribution.logNormal(1_200, 0.5, 64, 6_000),
                        LengthDistribution.logNormal(outputTokens, 0.4, 8, 600),
                        startNanos,
                        seed));
    }

    /** The service's side: where the engines may appear and what is wanted of them. */
    static ServiceConfig service(DemoPorts ports, int httpPort) {
        ServiceConfig config = ServiceConfig.of(List.of(
                config(AGGREGATED, Role.AGGREGATED, ports),
                config(PREFILL, Role.PREFILL, ports),
                config(DECODE, Role.DECODE, ports)));
        return config.withHttp(HttpSettings.defaults().withPort(httpPort))
                .withZeromq(ZeroMqSettings.defaults().withReconnectMaxSeconds(0.25));
    }

    private static PoolConfig config(String id, Role role, DemoPorts ports) {
        int first = ports.firstPort(id);
        PoolSettings settings = new PoolSettings(
                id,
                MODEL.name(),
                role,
                SLO,
                new EngineLimits(
                        ENGINE.maxBatchedTokens(),
                        ENGINE.maxSequences(),
                        OptionalLong.of(ENGINE.kvCapacityTokens()),
                        SchedulingRule.DECODE_FIRST),
                new ScalingSettings(1, HIGHEST, 0.8, 10, COLD_START_SECONDS),
                new LivenessSettings(3, 6));
        return new PoolConfig(
                settings, List.of(new TcpSource(new HostPorts(DemoPorts.HOST, first, first + SLOTS - 1))));
    }
}
