/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.service.config.HostPorts;
import io.fpmplanner.service.config.TcpSource;
import org.junit.jupiter.api.Test;

class ConnectionTest {
    private static final long SECOND = 1_000_000_000L;

    private final TcpSource spec = new TcpSource(new HostPorts("127.0.0.1", 5, 5));
    private final Connection connection = new Connection(new Target(0, spec, "127.0.0.1", 5), "tcp://127.0.0.1:5");

    @Test
    void onlyStalledHandshakesInARowMakeAForeigner() {
        for (int i = 1; i < 6; i++) {
            assertThat(stalls(i)).isFalse();
        }
        connection.handshakesAgain();
        for (int i = 10; i < 15; i++) {
            assertThat(stalls(i)).isFalse();
        }
        assertThat(stalls(15)).isTrue();
        assertThat(stalls(16)).as("judged at once from then on").isTrue();
    }

    @Test
    void aPeerThatHangsUpAtOnceIsNoForeigner() {
        for (int i = 1; i < 20; i++) {
            connection.accepted(i * SECOND);
            assertThat(connection.isForeign(i * SECOND + SECOND / 10, SECOND / 2))
                    .isFalse();
        }
    }

    private boolean stalls(int second) {
        connection.accepted(second * SECOND);
        return connection.isForeign((second + 1) * SECOND, SECOND / 2);
    }
}
