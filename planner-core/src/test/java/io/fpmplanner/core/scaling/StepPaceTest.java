/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.Pool;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.core.pool.SloTarget;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StepPaceTest {
    private static final double ITL_SECONDS = 0.05;

    private final StepPace pace = new StepPace();
    private Pool pool = pool(SchedulingRule.DECODE_FIRST);
    private long now;
    private long position;

    private static Pool pool(SchedulingRule rule) {
        return new Pool(new PoolSettings(
                "toy",
                "toy",
                Role.AGGREGATED,
                new SloTarget(1, ITL_SECONDS, 0.95),
                new EngineLimits(2048, 128, OptionalLong.empty(), rule),
                new ScalingSettings(1, 10, 0.9, 30, 30),
                new LivenessSettings(16, 60)));
    }

    /** Five seconds pass, with so many steps in them, of which the newest took so long. */
    private void look(int steps, int batch, double wallSeconds) {
        now += 5_000_000_000L;
        position += steps;
        pool.onFrame(new FpmFrame()
                .workerId("w")
                .scheduledDecode(batch, 1000L * batch, 0)
                .wallTimeSeconds(wallSeconds)
                .arrival("tcp://w:1", position, now));
        pace.read(pool.tick(now));
    }

    @Test
    void theNumbersOfTwoFramesTellTheMeanStepWhateverTheseTwoTook() {
        look(1, 20, 0.15);
        assertThat(pace.isKnown()).isFalse();
        look(125, 20, 0.03);
        assertThat(pace.isKnown()).isTrue();
        assertThat(pace.meanSeconds()).isCloseTo(0.04, within(1e-9));
        assertThat(pace.meanBatch()).isCloseTo(20, within(1e-9));
        assertThat(pace.needed(1, ITL_SECONDS)).as("within the objective").isZero();
    }

    @Test
    void twoSlowStretchesAskForMoreReplicas() {
        look(1, 40, 0.03);
        look(80, 40, 0.03);
        assertThat(pace.needed(3, ITL_SECONDS)).as("one may be chance").isZero();
        look(80, 40, 0.03);
        assertThat(pace.needed(3, ITL_SECONDS))
                .as("62.5 ms are 1.25 times 50 ms")
                .isEqualTo(4);
    }

    @Test
    void stallsAndNearlyIdleRanksSayNothing() {
        look(1, 40, 0.03);
        look(8, 40, 0.6);
        look(8, 40, 0.6);
        assertThat(pace.needed(1, ITL_SECONDS)).as("steps of 625 ms").isZero();
        pace.clear();
        look(50, 2, 0.03);
        look(50, 2, 0.03);
        assertThat(pace.isKnown()).as("it may have paused").isFalse();
    }

    @Test
    void whereStepsOfPromptsDecodeNothingNumbersSayNothing() {
        pool = pool(SchedulingRule.PREFILL_FIRST);
        look(1, 40, 0.03);
        look(80, 40, 0.03);
        look(80, 40, 0.03);
        assertThat(pace.isKnown()).isFalse();
        assertThat(pace.needed(1, ITL_SECONDS)).isZero();
    }
}
