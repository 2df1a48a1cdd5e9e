/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a preempted request finds again of its KV cache. */
class TwinPreemptedTest {
    private final TwinPreempted preempted = new TwinPreempted();
    private final TwinRequests waiting = new TwinRequests();

    @ParameterizedTest
    @CsvSource({
        "5000, 0, 999", // all but its last token, while there is more room than it held
        "600, 0, 600", // others took the rest
        "900, 300, 600", // what was let go later goes after it
        "900, 2000, 0"
    })
    void findsWhatIsLeftOfItsOwn(double free, double releasedSince, double found) {
        waiting.addFirst(1, 0, 1000, 50);
        preempted.push(70_000);
        preempted.find(waiting, free, 70_000 + releasedSince);
        assertThat(waiting.doneTokens(0)).isEqualTo(found);
        assertThat(waiting.leftTokens(0)).isEqualTo(1000 - found);
    }

    @Test
    void isAskedAnewWhileItWaits() {
        waiting.addFirst(1, 0, 1000, 50);
        preempted.push(0);
        preempted.find(waiting, 900, 0);
        preempted.find(waiting, 400, 0);
        assertThat(waiting.leftTokens(0)).isEqualTo(600);
    }

    @Test
    void theLastOneComesFirst() {
        waiting.addFirst(1, 0, 1000, 50);
        preempted.push(0);
        waiting.addFirst(2, 0, 500, 50);
        preempted.push(500);
        preempted.find(waiting, 900, 600);
        assertThat(waiting.doneTokens(0)).isEqualTo(499);
        waiting.removeFirst();
        preempted.pop();
        preempted.find(waiting, 900, 600);
        assertThat(waiting.doneTokens(0)).isEqualTo(300);
    }
}
