/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.planner.PlannerMemory;
import io.fpmplanner.core.pool.PoolMemory;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SpeedVerdict;
import io.fpmplanner.core.scaling.ArrivalMemory;
import io.fpmplanner.core.scaling.Decision;
import io.fpmplanner.core.scaling.FleetMemory;
import io.fpmplanner.core.scaling.LimitingFactor;
import io.fpmplanner.core.scaling.ReasonCode;
import io.fpmplanner.core.scaling.ScalingStatus;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.LearnedStepTimes;
import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepTimeSettings;
import io.fpmplanner.models.StepWorkload;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.TestPublisher;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.config.StateSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateKeeperTest {
    private static final long NOW = 1_700_000_000_000_000_000L;

    @TempDir
    private Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static LearnedStepTimes learned(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        StepWorkload step = new StepWorkload();
        for (int i = 0; i < 300; i++) {
            step.clear().decode(1 + random.nextInt(64), random.nextInt(100_000), random.nextInt(10_000));
            model.observe(step, 0.01 + 1e-4 * step.decodeRequests());
        }
        return model.export();
    }

    private static PlannerMemory memory(List<String> pools) {
        LearnedStepTimes learned = learned(3);
        return new PlannerMemory(
                NOW,
                pools.stream()
                        .map(id -> new PlannerMemory.OfPool(
                                id,
                                "",
                                Role.AGGREGATED,
                                new PoolMemory(
                                        List.of(new PoolMemory.ScopeMemory("", 12.5, learned)),
                                        List.of(new PoolMemory.SpeedMemory(
                                                "tcp://a:1#0#w#0", 17, 60, 0.1, 0.01, 1.2, SpeedVerdict.SLOW))),
                                new FleetMemory(
                                        7,
                                        5,
                                        List.of(NOW - 5, NOW - 3),
                                        List.of(118.5, 121.0),
                                        new FleetMemory.RegretMemory(2, 6, NOW - 9, NOW - 8),
                                        new ArrivalMemory(List.of(new ArrivalMemory.Bins(20, NOW, "AAABQe_-")))),
                                decisions(40)))
                        .toList());
    }

    private static List<Decision> decisions(int count) {
        return java.util.stream.IntStream.range(1, count + 1)
                .mapToObj(i -> new Decision(
                        i,
                        NOW - 1_000_000_007L * (count - i),
                        i % 3 == 0 ? ScalingStatus.UNDECIDED : ScalingStatus.UNDER_PROVISIONED,
                        i % 3 == 0 ? OptionalInt.empty() : OptionalInt.of(i),
                        i == 1 ? OptionalInt.empty() : OptionalInt.of(i - 1),
                        3,
                        1,
                        i % 3 == 0 ? OptionalDouble.empty() : OptionalDouble.of(i - 1 / 3.0),
                        i % 2 == 0 ? OptionalDouble.empty() : OptionalDouble.of(0.1 * i),
                        i % 3 == 0 ? ReasonCode.STALE_TELEMETRY : ReasonCode.DEMAND_ABOVE_CAPACITY,
                        i % 4 == 0 ? Optional.of(LimitingFactor.MAX_REPLICAS) : Optional.empty(),
                        i % 5 == 0,
                        Evidence.READY,
                        "12.3 requests/s of 1,000 + 200 tokens need 4.2 replicas of this kind, and there are 3"))
                .toList();
    }

    static byte[] document() {
        return MemoryJson.write(memory(List.of("a")));
    }

    private static List<PoolSettings> settings(List<String> ids) throws Exception {
        Map<String, String> environment = new java.util.HashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            environment.put("PLANNER_POOLS_" + i + "_ID", ids.get(i));
            environment.put("PLANNER_POOLS_" + i + "_SOURCES", "tcp://10.0.0.1:" + (20_000 + i));
        }
        return ConfigLoader.load(Optional.empty(), environment, List.of()).config().pools().stream()
                .map(PoolConfig::settings)
                .toList();
    }

    private StateKeeper keeper(Disk disk) {
        return new StateKeeper(StateSettings.in(directory), registry, disk);
    }

    @Test
    void jsonHoldsEverythingToTheLastBit() throws Exception {
        PlannerMemory memory = memory(List.of("a", "b"));
        List<String> complaints = new ArrayList<>();
        assertThat(MemoryJson.read(MemoryJson.write(memory), complaints)).isEqualTo(memory);
        assertThat(complaints).isEmpty();
    }

    @Test
    void aPoolThatCannotBeReadLeavesTheOthers() throws Exception {
        String text = new String(MemoryJson.write(memory(List.of("a", "b"))), java.nio.charset.StandardCharsets.UTF_8)
                .replaceFirst("\"times\":2.0", "\"times\":-2.0");
        List<String> complaints = new ArrayList<>();
        PlannerMemory read = MemoryJson.read(text.getBytes(java.nio.charset.StandardCharsets.UTF_8), complaints);
        assertThat(read.pools()).extracting(PlannerMemory.OfPool::id).containsExactly("b");
        assertThat(complaints).singleElement().asString().contains("'a'", "times");
    }

    @Test
    void stepTimesOfAnotherVersionAreLearnedAnewAndTheFleetIsKept() throws Exception {
        PlannerMemory memory = memory(List.of("a"));
        String text = new String(MemoryJson.write(memory), java.nio.charset.StandardCharsets.UTF_8)
                .replaceFirst("\"version\":3,", "\"version\":1,");
        List<String> complaints = new ArrayList<>();
        PlannerMemory read = MemoryJson.read(text.getBytes(java.nio.charset.StandardCharsets.UTF_8), complaints);
        PlannerMemory.OfPool pool = read.pools().get(0);
        assertThat(pool.learned()).isEqualTo(PoolMemory.NOTHING);
        assertThat(pool.fleet()).isEqualTo(memory.pools().get(0).fleet());
        assertThat(pool.decisions()).isEqualTo(memory.pools().get(0).decisions());
        assertThat(complaints).singleElement().asString().contains("'a'", "learned anew", "version 1", "version 3");
        assertThat(new Planner(settings(List.of("a"))).restore(read, true))
                .containsExactly(PlannerMemory.Outcome.WITHOUT_STEP_TIMES);
    }

    @Test
    void aHundredPoolsAreBackWithinASecond() throws Exception {
        List<String> ids = java.util.stream.IntStream.range(0, 100)
                .mapToObj(i -> "pool-" + i)
                .toList();
        try (StateKeeper keeper = keeper(Disk.REAL)) {
            keeper.restore(new Planner(settings(ids)), NOW);
            assertThat(keeper.save(memory(ids))).isTrue();
        }
        Planner planner = new Planner(settings(ids));
        long start = System.nanoTime();
        SimpleMeterRegistry afterwards = new SimpleMeterRegistry();
        try (StateKeeper keeper = new StateKeeper(StateSettings.in(directory), afterwards)) {
            keeper.restore(planner, NOW + 1);
        }
        // The bound of the requirement is 1 s on an idle machine; this one is shared.
        assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
        assertThat(Files.size(directory.resolve(StateFiles.NEWEST))).isLessThan(5_000_000);
        assertThat(afterwards
                        .get("fpm_planner.state.restored.pools")
                        .tag("outcome", "restored")
                        .gauge()
                        .value())
                .isEqualTo(100);
        PlannerMemory again = planner.memory(NOW);
        assertThat(again.pools().get(99).fleet())
                .isEqualTo(memory(ids).pools().get(99).fleet());
    }

    @Test
    void theDecisionLogGoesOnWhereItWas() throws Exception {
        try (StateKeeper keeper = keeper(Disk.REAL)) {
            keeper.restore(new Planner(settings(List.of("a"))), NOW);
            keeper.save(memory(List.of("a")));
        }
        Planner planner = new Planner(settings(List.of("a")));
        try (StateKeeper keeper = keeper(Disk.REAL)) {
            keeper.restore(planner, NOW + 1);
        }
        List<Decision> log = planner.tick(NOW + 2).pools().get(0).decisions();
        assertThat(log.subList(0, 40)).isEqualTo(decisions(40));
        assertThat(log.get(40).number()).isEqualTo(41);
        assertThat(planner.memory(NOW).pools().get(0).decisions()).isEqualTo(log);
    }

    @Test
    void aDecisionOfAReasonThatIsNoMoreCostsNothingElse() throws Exception {
        String text = new String(MemoryJson.write(memory(List.of("a"))), java.nio.charset.StandardCharsets.UTF_8)
                .replaceFirst("DEMAND_ABOVE_CAPACITY", "PHASE_OF_THE_MOON");
        List<String> complaints = new ArrayList<>();
        PlannerMemory read = MemoryJson.read(text.getBytes(java.nio.charset.StandardCharsets.UTF_8), complaints);
        assertThat(read.pools().get(0).decisions()).hasSize(39);
        assertThat(complaints).singleElement().asString().contains("1 entries", "'a'");
    }

    @Test
    void aStateHoldsTheNewestDecisionsOnly() {
        PlannerMemory.OfPool pool = memory(List.of("a")).pools().get(0);
        List<Decision> kept = new PlannerMemory.OfPool(
                        pool.id(), pool.model(), pool.role(), pool.learned(), pool.fleet(), decisions(100))
                .decisions();
        assertThat(kept).isEqualTo(decisions(100).subList(36, 100));
    }

    @Test
    void anOldStateSaysNothingOfTheFleet() throws Exception {
        try (StateKeeper keeper = keeper(Disk.REAL)) {
            keeper.restore(new Planner(settings(List.of("a"))), NOW);
            keeper.save(memory(List.of("a")));
        }
        Planner planner = new Planner(settings(List.of("a")));
        try (StateKeeper keeper = keeper(Disk.REAL)) {
            keeper.restore(planner, NOW + 4_000_000_000_000L);
        }
        FleetMemory fleet = planner.memory(NOW).pools().get(0).fleet();
        assertThat(fleet.desired()).isEqualTo(-1);
        assertThat(fleet.orderedNanos()).isEmpty();
        assertThat(fleet.coldStartSeconds()).containsExactly(118.5, 121.0);
    }

    @Test
    void aDiskThatFailsIsTriedAgainAndCounted() throws Exception {
        boolean[] full = {true};
        Disk disk = new Disk() {
            @Override
            public byte[] read(Path file, long mostBytes) throws IOException {
                return Disk.REAL.read(file, mostBytes);
            }

            @Override
            public void write(Path file, byte[] content) throws IOException {
                if (full[0]) {
                    throw new IOException("No space left on device");
                }
                Disk.REAL.write(file, content);
            }

            @Override
            public boolean move(Path from, Path to) throws IOException {
                return Disk.REAL.move(from, to);
            }

            @Override
            public void sync(Path path) throws IOException {
                Disk.REAL.sync(path);
            }
        };
        try (StateKeeper keeper = keeper(disk)) {
            keeper.restore(new Planner(settings(List.of("a"))), NOW);
            assertThat(keeper.save(memory(List.of("a")))).isFalse();
            full[0] = false;
            assertThat(keeper.save(memory(List.of("a")))).isTrue();
        }
        assertThat(registry.get("fpm_planner.state.saves")
                        .tag("result", "failed")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void twoPlannersDoNotWriteTheSameFiles() throws Exception {
        try (StateKeeper second = new StateKeeper(StateSettings.in(directory), new SimpleMeterRegistry())) {
            try (StateKeeper first = keeper(Disk.REAL)) {
                first.restore(new Planner(settings(List.of("a"))), NOW);
                second.restore(new Planner(settings(List.of("a"))), NOW);
                assertThat(second.save(memory(List.of("a")))).isFalse();
            }
            assertThat(second.save(memory(List.of("a")))).isTrue();
        }
    }

    @Test
    void aServiceThatIsStoppedGoesOnWhereItWas() throws Exception {
        try (TestPublisher publisher = new TestPublisher()) {
            ServiceConfig config = ConfigLoader.load(
                            Optional.empty(),
                            Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", publisher.endpoint()),
                            List.of("http.port=0", "state.directory=" + directory))
                    .config();
            long learned;
            try (PlannerService service = PlannerService.start(config)) {
                publisher.awaitSubscriber();
                for (int i = 0; i < 200; i++) {
                    publisher.sendDecode("w");
                }
                JsonNode model = new RestClient(service.url())
                        .await(
                                "/v1/pools/chat/model",
                                d -> d.get("framesLearned").asLong() > 150);
                assertThat(model.get("restored").isNull()).isTrue();
                learned = model.get("framesLearned").asLong();
            }
            try (PlannerService service = PlannerService.start(config)) {
                RestClient rest = new RestClient(service.url());
                JsonNode model = rest.await("/v1/pools/chat/model", d -> d.has("restored"));
                assertThat(model.get("framesLearned").asLong()).isGreaterThanOrEqualTo(learned);
                assertThat(model.at("/regimes/1/evidence").asText()).isEqualTo("WARMING");
                assertThat(model.at("/restored/framesToConfirm/DECODE").asInt()).isEqualTo(30);
                assertThat(rest.get("/metrics").body())
                        .contains("fpm_planner_state_restored_pools{outcome=\"restored\"} 1.0");
                rest.await("/v1/pools/chat/model", d -> {
                    for (int i = 0; i < 5; i++) {
                        publisher.sendDecode("w");
                    }
                    return d.at("/restored/framesToConfirm/DECODE").asInt() == 0;
                });
            }
        }
    }
}
