/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RegretTest {
    private final Regret regret = new Regret(30, 30);

    private static long at(double seconds) {
        return (long) (seconds * 1e9);
    }

    @Test
    void aReplicaOrderedAgainSoonDoublesTheHold() {
        assertThat(regret.holdSeconds(at(0))).isEqualTo(30);
        regret.shrank(at(100), 4);
        regret.grew(at(150), 3);
        assertThat(regret.holdSeconds(at(151))).isEqualTo(60);
        regret.shrank(at(200), 4);
        regret.grew(at(260), 2);
        assertThat(regret.holdSeconds(at(261))).isEqualTo(120);
    }

    @Test
    void growthLaterOrBeyondTheFormerSizeIsNoMistake() {
        regret.shrank(at(100), 4);
        regret.grew(at(500), 3);
        regret.shrank(at(600), 4);
        regret.grew(at(610), 4);
        assertThat(regret.holdSeconds(at(620))).isEqualTo(30);
    }

    @Test
    void itIsForgottenWhenItNoLongerHappens() {
        regret.shrank(at(100), 4);
        regret.grew(at(150), 3);
        assertThat(regret.holdSeconds(at(151))).isEqualTo(60);
        assertThat(regret.holdSeconds(at(1000))).isEqualTo(30);
    }

    @Test
    void theHoldIsBounded() {
        for (int i = 0; i < 20; i++) {
            regret.shrank(at(100 * i), 4);
            regret.grew(at(100 * i + 50), 3);
        }
        assertThat(regret.holdSeconds(at(2000))).isEqualTo(240);
    }
}
