/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MachineTest {
    private static final double ROUNDING = 1e-12;

    @Test
    void neitherIdleNorWaitingNorStolenIsBusy() {
        Machine.Counts counts = Machine.Counts.of(7, "cpu  100 20 30 4000 500 6 7 88 9 1", 0.25);
        assertThat(counts.nanos()).isEqualTo(7);
        assertThat(counts.busySeconds()).isCloseTo((100 + 20 + 30 + 6 + 7) / 100.0, within(ROUNDING));
        assertThat(counts.stolenSeconds()).isCloseTo(0.88, within(ROUNDING));
        assertThat(counts.queuedSeconds()).isEqualTo(0.25);
    }

    @Test
    void whatTheMachineDoesNotTellIsLeftOut() {
        Figures figures = new Machine.Noise(0.1, 0.5, 3, Double.NaN, Double.NaN, Double.NaN).into(new Figures());
        assertThat(figures.values()).hasSize(3).containsEntry("machine, woke late p99, ms", 0.5);
    }
}
