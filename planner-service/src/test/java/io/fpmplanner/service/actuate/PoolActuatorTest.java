/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.service.config.ScaleTarget;
import io.fpmplanner.service.config.TargetKind;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** When a target may be tried, and how it is told that somebody else scales it; in virtual time. */
class PoolActuatorTest {
    private static final long SECOND = 1_000_000_000L;
    private static final ScaleTarget TARGET = new ScaleTarget(TargetKind.DEPLOYMENT, "apps/v1", "llm", "chat", false);

    private final PoolActuator actuator = new PoolActuator(TARGET, 5);

    @Test
    void waitsTwiceAsLongAfterEachFailureAndNotAfterASuccess() {
        long now = 0;
        for (int wait : new int[] {5, 10, 20, 40, 80, 160, 300, 300}) {
            actuator.failed(now);
            assertThat(actuator.backsOff(now + wait * SECOND - 1)).isTrue();
            now += wait * SECOND;
            assertThat(actuator.backsOff(now)).as(wait + " s").isFalse();
        }

        actuator.read();

        assertThat(actuator.failures()).isZero();
        actuator.failed(now);
        assertThat(actuator.backsOff(now + 5 * SECOND)).isFalse();
    }

    @Test
    void othersAreNoticedByReplicasThatItDidNotSet() {
        assertThat(actuator.noticeOthers(reading(7), 0)).isFalse();
        actuator.succeeded(4);
        assertThat(actuator.noticeOthers(reading(4), SECOND)).isFalse();

        assertThat(actuator.noticeOthers(reading(2), 2 * SECOND)).isTrue();

        // What they set is the state of things from then on.
        assertThat(actuator.noticeOthers(reading(2), 3 * SECOND)).isFalse();
    }

    @Test
    void namesItsTargetAsPeopleDo() {
        assertThat(TARGET).hasToString("Deployment llm/chat");
        assertThat(TARGET.group()).isEqualTo("apps");
        assertThat(TARGET.version()).isEqualTo("v1");
    }

    private static TargetReading reading(int wanted) {
        return new TargetReading(wanted, OptionalInt.empty());
    }
}
