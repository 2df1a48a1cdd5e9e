/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeardTimeTest {
    private static final int RANKS = 2;
    private final HeardTime heard = new HeardTime(5);

    /** Two ranks that work 40 % of the time. */
    @BeforeEach
    void usual() {
        for (int i = 0; i < 60; i++) {
            assertThat(tick(1, 1)).isEqualTo(1);
        }
    }

    /** A tick in which frames of so many seconds come. */
    private double tick(double seconds, double worth) {
        for (int step = 0; step < worth * 20; step++) {
            heard.hear(0.04);
        }
        return heard.close(Math.round(seconds * 1e9), RANKS) / 1e9;
    }

    @Test
    void silenceTellsOfNothing() {
        assertThat(tick(1, 0)).isZero();
        assertThat(tick(1, 0)).isZero();
    }

    @Test
    void framesThatWereHeldUpTellOfTheTimeTheyWereHeldUpIn() {
        for (int i = 0; i < 7; i++) {
            tick(1, 0);
        }
        assertThat(tick(1, 8)).isCloseTo(8, within(0.2));
        assertThat(tick(1, 1)).isEqualTo(1);
    }

    @Test
    void theyMayComeInTwoTicks() {
        for (int i = 0; i < 7; i++) {
            tick(1, 0);
        }
        assertThat(tick(1, 4)).isCloseTo(4, within(0.2));
        assertThat(tick(1, 5)).isCloseTo(5, within(0.2));
        assertThat(tick(1, 1)).isEqualTo(1);
    }

    @Test
    void whatWasLostIsNotMadeUpFor() {
        for (int i = 0; i < 7; i++) {
            tick(1, 0);
        }
        assertThat(tick(1, 1)).isEqualTo(1);
        assertThat(tick(1, 5)).as("a surge").isEqualTo(1);
    }

    @Test
    void aPlannerThatStoodStillReadsTheRestLater() {
        assertThat(tick(7, 2)).isCloseTo(2, within(0.2));
        assertThat(tick(1, 6)).isCloseTo(6, within(0.2));
    }

    @Test
    void betweenHeartbeatsTimePasses() {
        assertThat(tick(0.25, 0)).isZero();
        assertThat(tick(0.25, 0)).isZero();
        assertThat(tick(0.25, 0)).isZero();
        heard.hear(0);
        assertThat(tick(0.25, 0)).isEqualTo(1);
    }

    @Test
    void enginesWithoutHeartbeatsAreSilentWhenTheyAreIdle() {
        for (int i = 0; i < 4; i++) {
            tick(1, 0);
        }
        assertThat(tick(1, 0.5)).isEqualTo(5);
    }

    @Test
    void withHeartbeatsFourSecondsOfSilenceAreALoss() {
        heard.hear(0);
        tick(1, 1);
        for (int i = 0; i < 4; i++) {
            tick(1, 0);
        }
        assertThat(tick(1, 1)).isEqualTo(1);
    }
}
