/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.fpm.FpmFrame;
import org.junit.jupiter.api.Test;

/** A bit that flips in the number of a rank makes a rank that never was. */
class GhostRankTest {
    private static final long SECOND = 1_000_000_000L;

    private final Pool pool = new Pool(
            new PoolSettings(
                    "chat",
                    "",
                    Role.AGGREGATED,
                    new SloTarget(1, 0.05, 0.95),
                    EngineLimits.defaults(),
                    new ScalingSettings(1, 10, 0.8, 60, 20),
                    LivenessSettings.defaults()),
            StepListener.NONE);
    private final FpmFrame frame = new FpmFrame();

    private void send(int rank, long number, long nanos) {
        frame.clearPayload()
                .workerId("w")
                .dpRank(rank)
                .counterId(number)
                .wallTimeSeconds(0.02)
                .scheduledDecode(4, 4_000, 0)
                .arrival("tcp://10.0.0.1:20380", number, nanos);
        pool.onFrame(frame);
    }

    @Test
    void isNotMissedWhenItIsNotHeardAgain() {
        send(64, 1, SECOND);
        for (int i = 0; i < 20; i++) {
            send(0, i, SECOND + i * SECOND);
        }
        assertThat(pool.tick(20 * SECOND).fleet()).returns(1, FleetView::live).returns(0, FleetView::stale);
    }

    @Test
    void aRankThatHasSpokenTwiceIs() {
        send(1, 1, SECOND / 2);
        send(1, 2, SECOND);
        for (int i = 0; i < 20; i++) {
            send(0, i, SECOND + i * SECOND);
        }
        assertThat(pool.tick(20 * SECOND).fleet()).returns(0, FleetView::live).returns(1, FleetView::stale);
    }
}
