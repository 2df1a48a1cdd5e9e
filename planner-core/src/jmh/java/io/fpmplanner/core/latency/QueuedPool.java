/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.core.pool.SloTarget;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;

/** A pool of one engine that has learned from a minute of frames, the last of which shows a queue. */
public final class QueuedPool {
    private static final double SECOND = 1e9;

    private QueuedPool() {}

    /** The pool with so many prompts of about a thousand tokens waiting. */
    public static PoolView view(long queued) {
        Planner planner = new Planner(List.of(new PoolSettings(
                "chat",
                "model",
                Role.AGGREGATED,
                new SloTarget(2.0, 0.05, 0.9),
                new EngineLimits(2048, 128, OptionalLong.of(400_000), SchedulingRule.DECODE_FIRST),
                new ScalingSettings(1, 64, 0.8, 300, 60),
                new LivenessSettings(3, 6))));
        Random random = new Random(1);
        FpmFrame frame = new FpmFrame();
        double now = 1e18;
        planner.tick((long) now);
        double nextTick = now + SECOND;
        long sequence = 0;
        for (int i = 0; i < 3_000; i++) {
            long decodes = 20L + random.nextInt(60);
            long context = decodes * 1_100;
            boolean prefill = i % 3 == 0;
            long tokens = prefill ? 500L + random.nextInt(1_400) : 0;
            double seconds = (0.008 + 2e-5 * tokens + 5e-5 * decodes + 2e-8 * context)
                    * Math.exp(0.02 * random.nextGaussian());
            now += seconds * SECOND;
            boolean last = i > 2_990;
            frame.clearPayload()
                    .workerId("worker")
                    .counterId(sequence)
                    .wallTimeSeconds(seconds)
                    .scheduledPrefill(prefill ? 1 : 0, tokens, 0, 0)
                    .scheduledDecode(decodes, context, 90_000)
                    .queuedPrefill(last ? queued : 0, last ? 1_000 * queued : 0, last ? 250_000 : 0)
                    .arrival("tcp://127.0.0.1:1", sequence++, (long) now);
            planner.onFrame(0, frame);
            if (now >= nextTick) {
                planner.tick((long) now);
                nextTick = now + SECOND;
            }
        }
        return planner.tick((long) now).pools().get(0).pool();
    }
}
