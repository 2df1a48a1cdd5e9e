/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.pool.HpaSteps;
import io.fpmplanner.core.pool.ScalingPace;
import io.fpmplanner.core.pool.ScalingSettings;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RestraintTest {
    private static Restraint restraint(ScalingPace pace) {
        return new Restraint(new ScalingSettings(1, 50, 0.9, 60, 30).withPace(pace));
    }

    private static Verdict verdict(int desired) {
        return new Verdict(
                ScalingStatus.UNDER_PROVISIONED,
                OptionalInt.of(desired),
                ReasonCode.DEMAND_ABOVE_CAPACITY,
                Optional.empty());
    }

    private static long at(double seconds) {
        return (long) (seconds * 1e9);
    }

    private static void is(Verdict verdict, int desired, LimitingFactor factor) {
        assertThat(verdict.desired()).hasValue(desired);
        assertThat(verdict.limitedBy()).contains(factor);
    }

    @Test
    void stepsAreCutInBothDirections() {
        Restraint restraint = restraint(new ScalingPace(3, 1, 0, 0, 0, 0, HpaSteps.SAY));
        is(restraint.apply(verdict(9), 2, at(0)), 5, LimitingFactor.STEP_LIMIT);
        is(restraint.apply(verdict(2), 6, at(1)), 5, LimitingFactor.STEP_LIMIT);
        assertThat(restraint.apply(verdict(5), 2, at(0)).limitedBy()).isEmpty();
    }

    @Test
    void aCooldownKeepsTheOrderThatIsBeingCarriedOut() {
        Restraint restraint = restraint(new ScalingPace(2, 9, 30, 60, 0, 0, HpaSteps.SAY));
        restraint.recommended(OptionalInt.of(2), at(0));
        is(restraint.apply(verdict(9), 2, at(10)), 4, LimitingFactor.STEP_LIMIT);
        restraint.recommended(OptionalInt.of(4), at(10));
        is(restraint.apply(verdict(9), 2, at(11)), 4, LimitingFactor.COOLDOWN);
        is(restraint.apply(verdict(9), 4, at(20)), 4, LimitingFactor.COOLDOWN);
        is(restraint.apply(verdict(9), 4, at(41)), 6, LimitingFactor.STEP_LIMIT);
        is(restraint.apply(verdict(1), 4, at(60)), 4, LimitingFactor.COOLDOWN);
        assertThat(restraint.apply(verdict(1), 4, at(71)).desired()).hasValue(1);
    }

    @Test
    void aChangeThatAnAutoscalerIgnoresIsSaid() {
        Restraint restraint = restraint(ScalingPace.free());
        is(restraint.apply(verdict(21), 20, at(0)), 21, LimitingFactor.HPA_TOLERANCE);
        is(restraint.apply(verdict(22), 20, at(0)), 22, LimitingFactor.HPA_TOLERANCE);
        assertThat(restraint.apply(verdict(23), 20, at(0)).limitedBy()).isEmpty();
        assertThat(restraint.apply(verdict(2), 1, at(0)).limitedBy()).isEmpty();
    }

    @Test
    void orGrowthIsRoundedPastItAndShrinkingWaits() {
        Restraint restraint = restraint(new ScalingPace(99, 99, 0, 0, 0, 0.1, HpaSteps.EXCEED));
        is(restraint.apply(verdict(21), 20, at(0)), 23, LimitingFactor.HPA_TOLERANCE);
        is(restraint.apply(verdict(19), 20, at(0)), 20, LimitingFactor.HPA_TOLERANCE);
        assertThat(restraint.apply(verdict(17), 20, at(0)).desired()).hasValue(17);
        is(restraint.apply(verdict(49), 48, at(0)), 50, LimitingFactor.HPA_TOLERANCE);
    }
}
