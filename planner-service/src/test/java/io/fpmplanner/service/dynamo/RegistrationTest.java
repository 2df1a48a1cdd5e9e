/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.service.dynamo.Registration.Answer;
import io.fpmplanner.service.dynamo.Registration.Ask;
import org.junit.jupiter.api.Test;

class RegistrationTest {
    private static final Answer DUPLICATE = Answer.refused("duplicate_plugin_id: must Unregister before re-Register");

    private final Registration registration = new Registration();

    @Test
    void onceRegisteredItBeatsEveryFiveSeconds() {
        assertThat(registration.next()).isEqualTo(Ask.REGISTER);
        assertThat(registration.answered(Answer.DONE)).isEqualTo(5);
        assertThat(registration.isRegistered()).isTrue();
        assertThat(registration.next()).isEqualTo(Ask.HEARTBEAT);
        assertThat(registration.answered(Answer.DONE)).isEqualTo(5);
        assertThat(registration.next()).isEqualTo(Ask.HEARTBEAT);
    }

    @Test
    void aRefusalIsTriedAgainMoreAndMoreSeldom() {
        double[] waits = new double[6];
        for (int i = 0; i < waits.length; i++) {
            waits[i] = registration.answered(i % 2 == 0 ? Answer.refused("auth_failed") : Answer.failed("away"));
            assertThat(registration.next()).isEqualTo(Ask.REGISTER);
        }
        assertThat(waits).containsExactly(5, 10, 20, 40, 60, 60);
        registration.answered(Answer.DONE);
        registration.answered(Answer.refused(""));
        assertThat(registration.answered(Answer.failed("away"))).isEqualTo(5);
    }

    @Test
    void whatTheRegistryForgotIsRegisteredAnewAtOnce() {
        registration.answered(Answer.DONE);

        assertThat(registration.answered(Answer.refused(""))).isZero();

        assertThat(registration.next()).isEqualTo(Ask.REGISTER);
        assertThat(registration.isRegistered()).isFalse();
    }

    @Test
    void aHeartbeatThatIsNotAnsweredIsRepeated() {
        registration.answered(Answer.DONE);

        assertThat(registration.answered(Answer.failed("away"))).isEqualTo(5);

        assertThat(registration.next()).isEqualTo(Ask.HEARTBEAT);
        assertThat(registration.isRegistered()).isTrue();
    }

    @Test
    void aRegistrationOfARunBeforeIsTakenBackOnce() {
        assertThat(registration.answered(DUPLICATE)).isZero();
        assertThat(registration.next()).isEqualTo(Ask.UNREGISTER);
        assertThat(registration.answered(Answer.failed("PERMISSION_DENIED"))).isEqualTo(5);
        assertThat(registration.next()).isEqualTo(Ask.REGISTER);
        assertThat(registration.answered(DUPLICATE)).as("it is somebody else's").isEqualTo(10);
        assertThat(registration.next()).isEqualTo(Ask.REGISTER);

        assertThat(registration.answered(DUPLICATE)).isZero();
        assertThat(registration.answered(Answer.DONE)).isZero();
        registration.answered(Answer.DONE);
        assertThat(registration.isRegistered()).isTrue();
    }
}
