/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fpmplanner.core.fpm.RejectReason;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is counted, and how often it is worth a line. */
class EndpointLedgerTest {
    private static final long SECOND = 1_000_000_000L;

    private final Logger logger = (Logger) LoggerFactory.getLogger(EndpointLedger.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final EndpointLedger ledger =
            new EndpointLedger(3, "tcp://a:5", "tcp://10.0.0.1:5", EndpointState.CONNECTING);

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    @Test
    void breachesAreCountedEachAndLoggedOnceAMinute() {
        for (int i = 1; i <= 61; i++) {
            ledger.countProtocolError("too long", i * SECOND);
        }

        assertThat(ledger.status().counts().protocolErrors()).isEqualTo(61);
        assertThat(lines.list).hasSize(2);
        assertThat(lines.list.get(1).getKeyValuePairs()).anySatisfy(pair -> {
            assertThat(pair.key).isEqualTo("heldBack");
            assertThat(pair.value).isEqualTo(59L);
        });
    }

    @Test
    void aChangeIsLoggedEveryTenSecondsAndTroubleThatLastsOnceAMinute() {
        for (int i = 1; i <= 120; i++) {
            ledger.enter(EndpointState.CONNECTING, "refused", i * SECOND);
        }
        assertThat(lines.list).hasSize(2);
        lines.list.clear();

        for (int i = 0; i < 100; i++) {
            ledger.enter(i % 2 == 0 ? EndpointState.CONNECTED : EndpointState.CONNECTING, "", (200 + i) * SECOND);
        }
        assertThat(lines.list).hasSize(20);
        assertThat(ledger.status().counts().connects()).isEqualTo(50);
        lines.list.clear();

        ledger.enter(EndpointState.CONNECTED, "", 400 * SECOND);
        ledger.enter(EndpointState.CONNECTED, "", 800 * SECOND);
        assertThat(lines.list).as("being connected is no trouble").hasSize(1);
    }

    @Test
    void theStatusShowsEverythingCounted() {
        ledger.countReceived();
        ledger.countReceived();
        ledger.countDropped();
        ledger.countLost(7);
        ledger.countIgnored();
        ledger.countRejected(RejectReason.NEGATIVE, SECOND);
        ledger.enter(EndpointState.INCOMPATIBLE, "speaks HTTP", SECOND);

        EndpointCounts counts = new EndpointCounts(2, 1, 7, 1, Map.of(RejectReason.NEGATIVE, 1L), 0, 0);
        assertThat(ledger.status())
                .isEqualTo(new EndpointStatus(
                        3, "tcp://a:5", "tcp://10.0.0.1:5", EndpointState.INCOMPATIBLE, "speaks HTTP", counts));
        assertThat(counts.plus(counts).rejected()).isEqualTo(Map.of(RejectReason.NEGATIVE, 2L));
        assertThat(List.of(counts.plus(EndpointCounts.NONE))).containsExactly(counts);
    }
}
