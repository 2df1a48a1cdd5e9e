/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OverloadTest {
    private final Overload overload = new Overload();

    private static long millis(long millis) {
        return 1_000_000L * millis;
    }

    private int admitted(int requests, long atMillis) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            admitted += overload.admits(millis(atMillis)) ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void manyRequestsInATurnThatTakesLongAreRefusedBeforeItEnds() {
        overload.look(0);
        assertThat(admitted(200, 20)).as("10 ms after the timer was due").isEqualTo(200);
        overload.look(millis(20));
        assertThat(admitted(200, 60)).as("30 ms after").isLessThan(100).isPositive();
    }

    @Test
    void aLateTurnShedsUntilTheLoopIsOnTimeAgain() {
        overload.look(0);
        admitted(100, 5);
        overload.look(millis(40));
        assertThat(admitted(10, 41)).isZero();
        overload.look(millis(50));
        assertThat(admitted(10, 51)).isEqualTo(10);
    }

    @Test
    void aPauseWithoutManyRequestsRefusesNobody() {
        overload.look(0);
        assertThat(admitted(10, 500)).isEqualTo(10);
        overload.look(millis(500));
        assertThat(admitted(10, 501)).isEqualTo(10);
    }
}
