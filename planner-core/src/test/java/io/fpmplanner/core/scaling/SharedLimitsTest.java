/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.latency.LatencyPredictor;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.GpuBudget;
import io.fpmplanner.core.pool.HpaSteps;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.Pool;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.ReplicaCost;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingPace;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.scaling.FleetTracker.Fleet;
import io.fpmplanner.core.scaling.ScalingPolicy.Proposal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What pools share, on proposals made by hand. */
class SharedLimitsTest {
    private static PoolSettings pool(String id, int gpus, double price, double drainSeconds) {
        ScalingPace pace = new ScalingPace(99, 99, 0, 0, drainSeconds, 0, HpaSteps.SAY);
        return new PoolSettings(
                id,
                "llama",
                Role.AGGREGATED,
                new SloTarget(1, 0.05, 0.95),
                EngineLimits.defaults(),
                new ScalingSettings(0, 16, 0.9, 60, 30)
                        .withPace(pace)
                        .withCost(new ReplicaCost(id, gpus, OptionalDouble.of(price))),
                LivenessSettings.defaults());
    }

    private static Proposal proposal(PoolSettings settings, int has, int wants, double rate, double seconds) {
        Pool pool = new Pool(settings);
        pool.onFrame(new FpmFrame()
                .workerId("w")
                .scheduledDecode(1, 100, 0)
                .wallTimeSeconds(0.02)
                .arrival("tcp://w:20380", 0, 0));
        PoolView view = pool.tick((long) (seconds * 1e9));
        Fleet fleet = new Fleet(has, has, OrderBook.Pending.NONE, 0, false, 1);
        DemandHistory.Level level = new DemandHistory.Level(0, 0, DemandForecast.NOTHING, 0);
        Situation situation = new Situation(
                view, fleet, level, DemandForecast.NOTHING, new LatencyPredictor().typical(view), Double.NaN);
        ScalingStatus status = wants > has ? ScalingStatus.UNDER_PROVISIONED : ScalingStatus.OVER_PROVISIONED;
        return new Proposal(
                new RecommendationWriter.Grounds(situation, Optional.empty(), Optional.empty(), Optional.empty(), 30),
                new Verdict(status, OptionalInt.of(wants), ReasonCode.DEMAND_ABOVE_CAPACITY, Optional.empty()),
                rate);
    }

    private static int desired(Proposal proposal) {
        return proposal.verdict().desired().orElseThrow();
    }

    @Test
    void aBudgetCutsGrowthAndGivesWhatIsLeftToWhoLacksMost() {
        List<PoolSettings> pools = List.of(pool("a", 2, 1, 0), pool("b", 1, 1, 0));
        BudgetKeeper keeper = new BudgetKeeper(pools, List.of(new GpuBudget("", 12)));
        Proposal[] proposals = {proposal(pools.get(0), 2, 6, 1, 1), proposal(pools.get(1), 3, 4, 1, 1)};
        keeper.cut(proposals);
        assertThat(desired(proposals[0]))
                .as("4 of 12 GPUs are left over from 2 x 2 + 3")
                .isEqualTo(4);
        assertThat(desired(proposals[1])).isEqualTo(4);
        assertThat(proposals[0].verdict().limitedBy()).contains(LimitingFactor.GPU_BUDGET);
        assertThat(proposals[1].verdict().limitedBy()).isEmpty();
    }

    @Test
    void nobodyShrinksForABudgetAndDrainingReplicasCount() {
        List<PoolSettings> pools = List.of(pool("a", 1, 1, 60), pool("b", 1, 1, 60));
        BudgetKeeper keeper = new BudgetKeeper(pools, List.of(new GpuBudget("", 6)));
        Proposal[] before = {proposal(pools.get(0), 5, 5, 1, 1), proposal(pools.get(1), 3, 3, 1, 1)};
        keeper.cut(before);
        assertThat(desired(before[0]) + desired(before[1])).isEqualTo(8);
        keeper.settled(before);
        Proposal[] shrinking = {proposal(pools.get(0), 5, 2, 1, 2), proposal(pools.get(1), 3, 4, 1, 2)};
        keeper.cut(shrinking);
        keeper.settled(shrinking);
        Proposal[] draining = {proposal(pools.get(0), 2, 2, 1, 10), proposal(pools.get(1), 3, 4, 1, 10)};
        keeper.cut(draining);
        assertThat(desired(draining[1])).as("while three drain").isEqualTo(3);
        Proposal[] drained = {proposal(pools.get(0), 2, 2, 1, 70), proposal(pools.get(1), 3, 4, 1, 70)};
        keeper.cut(drained);
        assertThat(desired(drained[1])).isEqualTo(4);
    }

    @Test
    void growthGoesToTheVariantThatServesARequestForLess() {
        List<PoolSettings> pools = List.of(pool("h100", 1, 4, 0), pool("l40s", 1, 1, 0));
        Proposal[] proposals = {proposal(pools.get(0), 2, 4, 12, 1), proposal(pools.get(1), 3, 3, 4, 1)};
        new VariantChooser(pools).shift(proposals);
        assertThat(desired(proposals[0])).isEqualTo(2);
        assertThat(proposals[0].verdict().limitedBy()).contains(LimitingFactor.CHEAPER_VARIANT);
        assertThat(desired(proposals[1])).as("two at 12/s are six at 4/s").isEqualTo(9);
        assertThat(proposals[1].verdict().reason()).isEqualTo(ReasonCode.VARIANT_SHIFT);
    }

    @Test
    void pricesDecideByRequestNotByGpu() {
        List<PoolSettings> pools = List.of(pool("h100", 1, 2, 0), pool("l40s", 1, 1, 0));
        Proposal[] proposals = {proposal(pools.get(0), 2, 4, 12, 1), proposal(pools.get(1), 3, 4, 4, 1)};
        new VariantChooser(pools).shift(proposals);
        assertThat(desired(proposals[0])).isEqualTo(4);
        assertThat(desired(proposals[1]))
                .as("one at 4/s is less than one at 12/s")
                .isEqualTo(4);
    }
}
