/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.twin.Routing;
import io.fpmplanner.sim.engine.BatchingOrder;
import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.GpuSpec;
import io.fpmplanner.sim.engine.NoisyLaw;
import io.fpmplanner.sim.engine.RooflineLaw;
import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.engine.TransformerSpec;
import io.fpmplanner.sim.fleet.FleetSettings;
import io.fpmplanner.sim.fleet.PoolSpec;
import io.fpmplanner.sim.fleet.PoolSpec.Replicas;
import io.fpmplanner.sim.fleet.Router;
import io.fpmplanner.sim.fleet.Traffic;
import io.fpmplanner.sim.law.KernelLaw;
import io.fpmplanner.sim.law.KernelProfile;
import io.fpmplanner.sim.law.RecordedSteps;
import io.fpmplanner.sim.law.ServingOverhead;
import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.LengthDistribution;
import io.fpmplanner.sim.workload.Request;
import io.fpmplanner.sim.workload.RequestSource;
import io.fpmplanner.sim.workload.RequestStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Engines and requests of one comparison; the rate is chosen apart.
 *
 * @param name for the table
 * @param engine limits and rule of each engine; its kind is AGGREGATED, or PREFILL_ONLY for a disaggregated pair
 * @param law step times by seed
 * @param inputTokens prompt lengths
 * @param outputTokens answer lengths
 * @param router how requests are spread
 * @param cachedShare share of each prompt that every engine has in its prefix cache
 * @param replicas engines at the reference point, of each pool
 */
record Scenario(
        String name,
        EngineSettings engine,
        LongFunction<StepTimeLaw> law,
        LengthDistribution inputTokens,
        LengthDistribution outputTokens,
        Router router,
        double cachedShare,
        int replicas) {
    /** Engines of the fleet that is learned from. */
    static final int REPLICAS = 2;

    static final String POOL = "pool";
    static final String DECODE = "decode";
    private static final long TRANSFER_NANOS = 15_000_000;
    private static final Path RECORDING =
            Path.of("../../shared/data/fpm/vllm0.20.1_b300_qwen3-32b_tp8.fpm_metrics_detail.csv");
    private static final TransformerSpec MODEL = TransformerSpec.LLAMA_3_1_8B;

    private static Scenario of(
            String name, EngineSettings engine, GpuSpec gpu, LengthDistribution input, LengthDistribution output) {
        return of(name, engine, calm(new RooflineLaw(MODEL, gpu)), input, output);
    }

    private static Scenario of(
            String name,
            EngineSettings engine,
            LongFunction<StepTimeLaw> law,
            LengthDistribution input,
            LengthDistribution output) {
        return new Scenario(name, engine, law, input, output, Router.LEAST_LOADED, 0, REPLICAS);
    }

    private static LongFunction<StepTimeLaw> calm(StepTimeLaw law) {
        return seed -> new NoisyLaw(law, NoisyLaw.Noise.calm(), seed);
    }

    /** The one of that name. */
    static Scenario named(String name) {
        return Stream.concat(all().stream(), unseen().stream())
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The ones of the table: step times by a roofline, by measured kernels and, where they are at hand, of recorded steps. */
    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>(byRoofline());
        KernelProfile profile = KernelProfile.RTX_PRO_6000_LLAMA_8B;
        all.add(of(
                "chat vllm RTX PRO 6000 kernels",
                EngineSettings.vllm(1024, 128, profile.model().kvCapacityTokens(profile.gpu())),
                calm(new KernelLaw(profile, ServingOverhead.singleGpu(0.5e-3, 0))),
                LengthDistribution.logNormal(1_200, 0.5, 64, 6_000),
                LengthDistribution.logNormal(120, 0.4, 8, 600)));
        if (Files.isReadable(RECORDING)) {
            RecordedSteps steps = recorded();
            all.add(of(
                    "mixed vllm recorded steps",
                    EngineSettings.vllm(8192, 48, 400_000),
                    steps::law,
                    LengthDistribution.logNormal(700, 1.1, 16, 8_000),
                    LengthDistribution.logNormal(150, 0.9, 4, 1_500)));
        }
        return all;
    }

    /** Other engines, lengths, GPU laws and prefix hits than those of the table; nothing was tuned on them. */
    static List<Scenario> unseen() {
        int l40s = MODEL.kvCapacityTokens(GpuSpec.L40S);
        KernelProfile h100 = KernelProfile.H100_LLAMA_8B;
        int kernels = h100.model().kvCapacityTokens(h100.gpu());
        return List.of(
                of(
                        "agents sglang L40S",
                        EngineSettings.sglang(4096, 64, l40s),
                        GpuSpec.L40S,
                        LengthDistribution.logNormal(3_000, 0.8, 200, 16_000),
                        LengthDistribution.logNormal(80, 0.7, 4, 800)),
                of(
                        "writing vllm H100 kernels",
                        EngineSettings.vllm(4096, 200, kernels),
                        calm(new KernelLaw(h100, ServingOverhead.singleGpu(0.8e-3, 5e-6))),
                        LengthDistribution.logNormal(250, 0.6, 16, 2_000),
                        LengthDistribution.logNormal(450, 0.6, 32, 3_000)),
                of(
                                "prefix hits vllm RTX 4090",
                                EngineSettings.vllm(2048, 64, 60_000),
                                GpuSpec.RTX_4090,
                                LengthDistribution.logNormal(2_000, 0.4, 128, 6_000),
                                LengthDistribution.logNormal(100, 0.8, 4, 800))
                        .withCachedShare(0.6));
    }

    private Scenario withCachedShare(double share) {
        return new Scenario(name, engine, law, inputTokens, outputTokens, router, share, replicas);
    }

    private static RecordedSteps recorded() {
        try {
            return RecordedSteps.read(RECORDING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Scenario> byRoofline() {
        int l40s = MODEL.kvCapacityTokens(GpuSpec.L40S);
        int h100 = MODEL.kvCapacityTokens(GpuSpec.H100_SXM);
        LengthDistribution chatInput = LengthDistribution.logNormal(1_200, 0.5, 64, 6_000);
        LengthDistribution chatOutput = LengthDistribution.logNormal(120, 0.4, 8, 600);
        LengthDistribution mixedInput = LengthDistribution.logNormal(700, 1.1, 16, 16_000);
        LengthDistribution mixedOutput = LengthDistribution.logNormal(150, 0.9, 4, 1_500);
        return List.of(
                of("chat vllm L40S", EngineSettings.vllm(512, 128, l40s), GpuSpec.L40S, chatInput, chatOutput),
                of("mixed vllm H100", EngineSettings.vllm(2048, 256, h100), GpuSpec.H100_SXM, mixedInput, mixedOutput),
                of(
                        "mixed sglang H100",
                        EngineSettings.vllm(8192, 256, h100).ordered(BatchingOrder.PREFILL_FIRST),
                        GpuSpec.H100_SXM,
                        mixedInput,
                        mixedOutput),
                of(
                        "disagg vllm H100",
                        EngineSettings.vllm(8192, 256, h100).as(EngineKind.PREFILL_ONLY, TRANSFER_NANOS),
                        GpuSpec.H100_SXM,
                        mixedInput,
                        mixedOutput),
                of(
                        "few seats vllm H100",
                        EngineSettings.vllm(2048, 24, h100),
                        GpuSpec.H100_SXM,
                        chatInput,
                        chatOutput));
    }

    boolean isPair() {
        return engine.kind() == EngineKind.PREFILL_ONLY;
    }

    /** The router in the twin's words. */
    Routing routing() {
        return switch (router) {
            case ROUND_ROBIN -> Routing.ROUND_ROBIN;
            case LEAST_LOADED, PREFIX_AWARE -> Routing.LEAST_LOADED;
        };
    }

    Scenario with(int newReplicas) {
        return new Scenario(name, engine, law, inputTokens, outputTokens, router, cachedShare, newReplicas);
    }

    Scenario with(LongFunction<StepTimeLaw> newLaw) {
        return new Scenario(name, engine, newLaw, inputTokens, outputTokens, router, cachedShare, replicas);
    }

    /** The fleet under that traffic from time 0. */
    FleetSettings fleet(ArrivalRate rate, long seed) {
        List<PoolSpec> pools = new ArrayList<>();
        pools.add(pool(POOL, engine, isPair() ? DECODE : null));
        if (isPair()) {
            pools.add(pool(DECODE, engine.as(EngineKind.DECODE_ONLY, TRANSFER_NANOS), null));
        }
        RequestStream stream = new RequestStream(rate, inputTokens, outputTokens, 0, seed);
        Traffic traffic = new Traffic(POOL, cachedShare > 0 ? cached(stream) : stream);
        return new FleetSettings(pools, List.of(traffic), 0, 10_000_000_000L, seed);
    }

    private RequestSource cached(RequestStream stream) {
        return new RequestSource() {
            @Override
            public long nextArrivalNanos() {
                return stream.nextArrivalNanos();
            }

            @Override
            public Request next() {
                Request request = stream.next();
                int tokens = (int) Math.min(request.inputTokens() - 1, cachedShare * request.inputTokens());
                return new Request(
                        request.id(), request.arrivalNanos(), request.inputTokens(), tokens, request.outputTokens());
            }
        };
    }

    private PoolSpec pool(String id, EngineSettings settings, @Nullable String handOverTo) {
        return new PoolSpec(id, settings, law, router, new Replicas(replicas, replicas, replicas, 0), handOverTo);
    }

    List<PoolSettings> settings() {
        List<PoolSettings> settings = new ArrayList<>();
        settings.add(settings(POOL, isPair() ? Role.PREFILL : Role.AGGREGATED));
        if (isPair()) {
            settings.add(settings(DECODE, Role.DECODE));
        }
        return settings;
    }

    private PoolSettings settings(String id, Role role) {
        return new PoolSettings(
                id,
                MODEL.name(),
                role,
                new SloTarget(2.0, 0.050, 0.9),
                new EngineLimits(
                        engine.maxBatchedTokens(),
                        engine.maxSequences(),
                        OptionalLong.of(engine.kvCapacityTokens()),
                        engine.order() == BatchingOrder.DECODE_FIRST
                                ? SchedulingRule.DECODE_FIRST
                                : SchedulingRule.PREFILL_FIRST),
                new ScalingSettings(1, 64, 0.8, 300, 60),
                new LivenessSettings(3, 6));
    }
}
