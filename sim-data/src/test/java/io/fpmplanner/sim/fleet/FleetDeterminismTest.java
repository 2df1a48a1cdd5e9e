/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.KvTransfer;
import io.fpmplanner.sim.engine.Speculation;
import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.fleet.PoolSpec.Replicas;
import io.fpmplanner.sim.law.ArtefactLaw;
import io.fpmplanner.sim.law.Artefacts;
import io.fpmplanner.sim.law.KernelLaw;
import io.fpmplanner.sim.law.KernelProfile;
import io.fpmplanner.sim.law.ServingOverhead;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.LengthDistribution;
import io.fpmplanner.sim.workload.PrefixBlocks;
import io.fpmplanner.sim.workload.RandomVariates;
import io.fpmplanner.sim.workload.Request;
import io.fpmplanner.sim.workload.RequestSource;
import io.fpmplanner.sim.workload.RequestStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Everything random at once: the same seed gives the same fleet, to the last bit, on every JDK. */
class FleetDeterminismTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void a_seed_gives_the_fleet_it_always_gave() {
        // Digests of all frames and request records; a change of the simulation changes them, a change of the JDK must
        // not.
        assertThat(digest(1)).isEqualTo(DIGEST_1);
        assertThat(digest(2)).isEqualTo(DIGEST_2);
    }

    private static final long DIGEST_1 = -2296867708726104175L;
    private static final long DIGEST_2 = 5433431388041943234L;

    static long digest(long seed) {
        long[] digest = {17};
        RequestLedger ledger = new RequestLedger();
        Fleet fleet = new Fleet(
                settings(seed),
                new FrameChannels((origin, frame, nowNanos) -> add(digest, origin, frame, nowNanos)),
                ledger);
        for (int second = 1; second <= 120; second++) {
            fleet.advanceTo(second * SECOND);
            if (second % 15 == 0) {
                fleet.scaleTo("agg", 1 + second / 15 % 4);
                fleet.scaleTo("prefill", 1 + second / 30 % 3);
                fleet.scaleTo("decode", 3 - second / 30 % 3);
            }
        }
        for (RequestRecord record : ledger.records()) {
            add(digest, record.firstTokenNanos());
            add(digest, record.endNanos());
            add(digest, record.outcome().name().hashCode());
        }
        for (String pool : List.of("agg", "prefill", "decode")) {
            add(digest, Double.doubleToLongBits(fleet.load(pool).gpuSeconds().total()));
        }
        assertThat(ledger.size()).isGreaterThan(500);
        return digest[0];
    }

    private static void add(long[] digest, FrameOrigin origin, ForwardPassMetrics frame, long nowNanos) {
        add(digest, origin.endpoint().hashCode());
        add(digest, nowNanos);
        add(digest, frame.counterId());
        add(digest, Double.doubleToLongBits(frame.wallTimeSeconds()));
        add(digest, Double.doubleToLongBits(frame.scheduled().varDecodeKvTokens()));
        add(digest, frame.scheduled().sumPrefillTokens());
        add(digest, frame.queued().sumPrefillTokens());
    }

    private static void add(long[] digest, long value) {
        digest[0] = 0x9E3779B97F4A7C15L * (digest[0] ^ value) + Long.rotateLeft(digest[0], 29);
    }

    private static FleetSettings settings(long seed) {
        EngineSettings engine = EngineSettings.vllm(1024, 32, 40_000);
        return new FleetSettings(
                List.of(
                        pool("agg", engine.withSpeculation(new Speculation(2, 0.6, 0.001)), Router.PREFIX_AWARE, null),
                        pool("prefill", engine.as(EngineKind.PREFILL_ONLY, 0), Router.ROUND_ROBIN, "decode"),
                        pool(
                                "decode",
                                engine.as(EngineKind.DECODE_ONLY, new KvTransfer(5_000_000, 1_500))
                                        .withRanks(2),
                                Router.LEAST_LOADED,
                                null)),
                List.of(new Traffic("agg", conversations(seed)), new Traffic("prefill", stream(seed))),
                0,
                10 * SECOND,
                seed,
                List.of(
                        Fault.crash("agg", 40 * SECOND, 0),
                        Fault.stuck("decode", 50 * SECOND, 55 * SECOND, 1),
                        Fault.slow("prefill", 60 * SECOND, 80 * SECOND, 0, 1.7),
                        Fault.telemetryOutage("agg", 90 * SECOND, 100 * SECOND)));
    }

    private static PoolSpec pool(String id, EngineSettings engine, Router router, @Nullable String handOverTo) {
        return new PoolSpec(
                id,
                engine,
                FleetDeterminismTest::law,
                router,
                new Replicas(2, 6, 8, new ColdStart(8 * SECOND, 0.4, 0.05), 1),
                handOverTo);
    }

    private static StepTimeLaw law(long seed) {
        KernelProfile profile = KernelProfile.RTX_PRO_6000_LLAMA_8B;
        Artefacts artefacts = Artefacts.production()
                .withClockDrops(new Artefacts.ClockDrops(20, 5, 1.3))
                .withSlowWorkers(new Artefacts.SlowWorkers(0.2, 1.2));
        return new ArtefactLaw(new KernelLaw(profile, ServingOverhead.singleGpu(5e-4, 1e-6)), artefacts, seed);
    }

    private static RequestStream stream(long seed) {
        return new RequestStream(
                ArrivalRate.riseAndFall(1, 8, 40),
                LengthDistribution.logNormal(800, 0.7, 16, 6_000),
                LengthDistribution.logNormal(120, 0.6, 1, 800),
                0,
                seed);
    }

    /** Requests of which four in five share up to six blocks of 128 tokens. */
    private static RequestSource conversations(long seed) {
        RequestStream plain = stream(seed + 1);
        RandomVariates variates = new RandomVariates(seed + 2);
        return new RequestSource() {
            @Override
            public long nextArrivalNanos() {
                return plain.nextArrivalNanos();
            }

            @Override
            public Request next() {
                Request request = plain.next();
                int blocks = Math.min(6, request.inputTokens() / 128);
                long[] hashes = new long[blocks];
                long family = variates.uniform() < 0.8 ? 1 + (long) (3 * variates.uniform()) : 1_000 + request.id();
                for (int i = 0; i < blocks; i++) {
                    hashes[i] = 100 * family + i;
                }
                return new Request(
                        request.id(),
                        request.arrivalNanos(),
                        request.inputTokens(),
                        0,
                        request.outputTokens(),
                        PrefixBlocks.of(128, hashes));
            }
        };
    }
}
