/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.core.scaling.ScalingStatus;
import io.fpmplanner.models.Evidence;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A planner that is killed and goes on from what it remembered, beside toy engines in virtual time. */
class RestartTest {
    private static final double STABILISATION_SECONDS = 60;
    private static final int REPLICAS = 4;

    private static ToyFleet fleet(long seed) {
        ToyFleet fleet = new ToyFleet(
                new PoolSettings(
                        "toy",
                        "toy",
                        Role.AGGREGATED,
                        new SloTarget(1.0, 0.04, 0.95),
                        new EngineLimits(2048, 128, OptionalLong.empty(), SchedulingRule.DECODE_FIRST),
                        new ScalingSettings(1, 10, 0.8, STABILISATION_SECONDS, 20),
                        LivenessSettings.defaults()),
                REPLICAS,
                seed);
        fleet.requestsPerSecond = time -> 75;
        return fleet;
    }

    private static Evidence evidence(ToyFleet fleet) {
        return fleet.plan().pool().evidence();
    }

    @Test
    void isWarmAtOnceAndReadyAsSoonAsTheEngineIsSeenToBeTheSame() {
        ToyFleet fleet = fleet(5);
        fleet.run(60);
        PlannerMemory memory = fleet.memory();

        List<PlannerMemory.Outcome> outcomes = fleet.restartPlanner(memory, true);
        assertThat(outcomes).containsExactly(PlannerMemory.Outcome.RESTORED);
        PoolPlan silent = fleet.planner.tick(ToyFleet.nanos(60)).pools().get(0);
        assertThat(silent.pool().model().snapshot().evidence())
                .as("before any frame")
                .isEqualTo(Evidence.WARMING);
        assertThat(silent.recommendation().desired())
                .as("nobody was heard yet: what was recommended before holds")
                .hasValue(memory.pools().get(0).fleet().desired());
        assertThat(silent.recommendation().status()).isEqualTo(ScalingStatus.UNDECIDED);
        assertThat(silent.recommendation().message()).contains("What was recommended before holds.");
        fleet.run(5);
        assertThat(evidence(fleet)).isEqualTo(Evidence.READY);
    }

    @Test
    void saysNothingOfASizeFromLongAgo() {
        ToyFleet fleet = fleet(5);
        fleet.run(60);
        fleet.restartPlanner(fleet.memory(), false);
        PoolPlan silent = fleet.planner.tick(ToyFleet.nanos(60)).pools().get(0);
        assertThat(silent.recommendation().desired()).isEmpty();
    }

    @Test
    void anotherModelOrRoleStartsCold() {
        ToyFleet fleet = fleet(5);
        fleet.run(50);
        PlannerMemory.OfPool known = fleet.memory().pools().get(0);
        PlannerMemory other = new PlannerMemory(
                1,
                List.of(new PlannerMemory.OfPool(
                        "toy", "another", known.role(), known.learned(), known.fleet(), known.decisions())));
        assertThat(fleet.restartPlanner(other, true)).containsExactly(PlannerMemory.Outcome.COLD);
    }

    @Test
    void aClockThatWasPutBackLeavesNoOrderInTheFuture() {
        ToyFleet fleet = fleet(5);
        fleet.run(50);
        PlannerMemory memory = fleet.memory();
        long earlier = memory.takenNanos() - 1_000_000_000_000L;
        PlannerMemory moved = memory.notAfter(earlier);
        assertThat(moved.takenNanos()).isEqualTo(earlier);
        assertThat(moved.pools().get(0).fleet().orderedNanos()).allMatch(time -> time <= earlier);
    }

    /** Telemetry comes back worker by worker; the orchestrator would follow each recommendation at once. */
    @Test
    void isNeverTheReasonForASmallerFleet() {
        SplittableRandom random = new SplittableRandom(11);
        for (int kill = 0; kill < 5; kill++) {
            ToyFleet fleet = fleet(kill);
            fleet.run(60 + random.nextInt(30));
            int before = fleet.ready();
            PlannerMemory memory = fleet.memory();
            fleet.run(5 * random.nextDouble());
            boolean young = kill % 3 != 0;
            fleet.restartPlanner(memory, young);
            int heard = random.nextInt(REPLICAS);
            for (int i = heard; i < 10 && young; i++) {
                fleet.unheard.add("worker-" + i);
            }
            int plansBefore = fleet.plans.size();
            fleet.run(20);
            fleet.unheard.clear();
            fleet.run(STABILISATION_SECONDS - 25);

            assertThat(fleet.plans.subList(plansBefore, fleet.plans.size()).stream()
                            .map(PoolPlan::recommendation)
                            .map(Recommendation::desired)
                            .filter(desired -> desired.isPresent() && desired.getAsInt() < before))
                    .as("kill %d with %d of %d heard", kill, heard, before)
                    .isEmpty();
        }
    }
}
