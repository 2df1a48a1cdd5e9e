/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SloTarget;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** From payload bytes to a learned step nothing is allocated once windows have their size. */
class PlannerAllocationTest {
    /** A decode step of worker "w", key by key: 8 decodes over 4096 tokens in 10 ms. */
    private static final String PAYLOAD = "84"
            + "a9776f726b65725f6964" + "a177"
            + "aa636f756e7465725f6964" + "cf0000000000000000"
            + "a977616c6c5f74696d65" + "cb3f847ae147ae147b"
            + "b27363686564756c65645f7265717565737473" + "82"
            + "b36e756d5f6465636f64655f7265717565737473" + "08"
            + "b473756d5f6465636f64655f6b765f746f6b656e73" + "cd1000";

    @Test
    void aFrameAllocatesNothing() {
        Planner planner = new Planner(List.of(new PoolSettings(
                "pool",
                "",
                Role.AGGREGATED,
                new SloTarget(1, 0.05, 0.95),
                EngineLimits.defaults(),
                new ScalingSettings(1, 8, 0.8, 60, 20),
                LivenessSettings.defaults())));
        byte[] payload = HexFormat.of().parseHex(PAYLOAD);
        int counterAt = PAYLOAD.indexOf("cf0000000000000000") / 2 + 1;
        FpmDecoder decoder = new FpmDecoder();
        FpmFrame frame = new FpmFrame();
        feed(planner, decoder, frame, payload, counterAt, 0, 20_000);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(thread);
        feed(planner, decoder, frame, payload, counterAt, 20_000, 100_000);
        long perFrame = (threads.getThreadAllocatedBytes(thread) - before) / 100_000;
        assertThat(perFrame).as("bytes per frame").isZero();
        assertThat(planner.tick(1)
                        .pools()
                        .get(0)
                        .pool()
                        .model()
                        .snapshot()
                        .report()
                        .framesLearned())
                .isGreaterThan(119_000);
    }

    private static void feed(
            Planner planner, FpmDecoder decoder, FpmFrame frame, byte[] payload, int counterAt, int from, int count) {
        ByteBuffer writer = ByteBuffer.wrap(payload);
        for (int i = from; i < from + count; i++) {
            writer.putLong(counterAt, i);
            assertAccepted(decoder.decode(payload, 0, payload.length, frame) == null);
            planner.onFrame(0, frame.arrival("tcp://a:1", i, i * 11_000_000L));
        }
    }

    private static void assertAccepted(boolean accepted) {
        if (!accepted) {
            throw new AssertionError("the payload of this test must decode");
        }
    }
}
