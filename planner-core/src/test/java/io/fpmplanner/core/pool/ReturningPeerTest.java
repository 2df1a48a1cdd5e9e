/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.fpm.FpmFrame;
import org.junit.jupiter.api.Test;

/** Publishers that connect to us, as relays do, and come back from other ports. */
class ReturningPeerTest {
    private final Pool pool = new Pool(new PoolSettings(
            "pool",
            "",
            Role.AGGREGATED,
            new SloTarget(1, 0.05, 0.95),
            EngineLimits.defaults(),
            new ScalingSettings(1, 8, 0.9, 60, 20),
            LivenessSettings.defaults()));

    private static long at(double seconds) {
        return (long) (seconds * 1e9);
    }

    private void frame(String endpoint, String worker, long sequence, double seconds) {
        pool.onFrame(new FpmFrame()
                .clearPayload()
                .workerId(worker)
                .scheduledDecode(4, 4000, 0)
                .wallTimeSeconds(0.02)
                .arrival(endpoint, sequence, at(seconds)));
    }

    @Test
    void aWorkerThatComesBackFromAnotherPortIsOneWorker() {
        frame("tcp://10.0.0.7:40001", "w", 1, 10);
        frame("tcp://10.0.0.7:40002", "w", 0, 10.5);
        frame("tcp://10.0.0.7:40002", "w", 1, 11.5);
        assertThat(pool.tick(at(11.5)).fleet().live()).isEqualTo(1);
    }

    @Test
    void twoThatSpeakAreTwoWhateverTheirNames() {
        for (int i = 0; i < 5; i++) {
            frame("tcp://10.0.0.7:40001", "w", i, 10 + i);
            frame("tcp://10.0.0.7:40002", "w", i, 10.3 + i);
        }
        assertThat(pool.tick(at(14.5)).fleet().live()).isEqualTo(2);
    }

    @Test
    void anotherHostIsAnotherWorker() {
        frame("tcp://10.0.0.7:40001", "w", 1, 10);
        frame("tcp://10.0.0.8:40001", "w", 0, 11);
        frame("tcp://10.0.0.8:40001", "w", 1, 12);
        assertThat(pool.tick(at(12)).fleet().live()).isEqualTo(2);
    }
}
