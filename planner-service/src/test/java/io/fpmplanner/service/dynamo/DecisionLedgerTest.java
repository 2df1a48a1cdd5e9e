/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DecisionLedgerTest {
    private static final long HALF_AN_HOUR = 1_800_000_000_000L;
    private static final long FIRST = 1_790_000_000;

    private final DecisionLedger ledger = new DecisionLedger(FIRST);

    @Test
    void aNewDecisionWaitsForTheAcknowledgementOfTheOneBefore() {
        assertThat(ledger.current()).isEmpty();
        assertThat(ledger.complete(FIRST)).isFalse();
        ledger.offer(1, 2, 0);
        ledger.offer(1, 3, 1);
        assertThat(ledger.current()).hasValue(new DecisionLedger.Decision(FIRST, 1, 2));

        assertThat(ledger.complete(FIRST)).isTrue();
        ledger.offer(1, 3, 2);

        assertThat(ledger.current()).hasValue(new DecisionLedger.Decision(FIRST + 1, 1, 3));
        assertThat(ledger.completed()).isEqualTo(FIRST);
        assertThat(ledger.complete(FIRST + 2)).isFalse();
    }

    @Test
    void itWaitsForHalfAnHourOnly() {
        ledger.offer(1, 2, 0);
        ledger.offer(1, 3, HALF_AN_HOUR - 1);
        assertThat(ledger.current().orElseThrow().id()).isEqualTo(FIRST);

        ledger.offer(1, 3, HALF_AN_HOUR);

        assertThat(ledger.current()).hasValue(new DecisionLedger.Decision(FIRST + 1, 1, 3));
    }

    @Test
    void theSameIsNoNewDecision() {
        ledger.offer(1, 2, 0);
        ledger.complete(FIRST);
        ledger.offer(1, 2, 5);
        assertThat(ledger.current().orElseThrow().id()).isEqualTo(FIRST);
    }

    @Test
    void theAcknowledgementOfADecisionBeforeTheRestartAcknowledgesNoneOfThese() {
        ledger.offer(1, 2, 0);

        assertThat(ledger.complete(FIRST - 5)).isTrue();
        ledger.offer(1, 3, 1);

        assertThat(ledger.current().orElseThrow().id()).isEqualTo(FIRST);
    }
}
