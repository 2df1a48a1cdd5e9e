/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.RankLimits;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SloTarget;
import java.util.stream.IntStream;

/** A planner that is fed payloads without sockets; ranks take turns. Not threadsafe. */
final class InProcessFeed {
    private static final int MOST_RANKS = 20_000;

    private final byte[][] payloads = new byte[FrameTemplates.STEPS][];
    private final FrameTemplates templates = new FrameTemplates();
    private final byte[][] ids;
    private final String[] endpoints;
    private final int ranksPerPool;
    private final long frameNanos;
    private final FpmDecoder decoder = new FpmDecoder();
    private final FpmFrame frame = new FpmFrame();
    private final Planner planner;
    private int rank;
    private int round;
    private long nowNanos = 1_700_000_000_000_000_000L;

    /**
     * A fleet whose frames come at one rate.
     *
     * @param frameNanos of its time from one frame of any rank to the next
     */
    InProcessFeed(int pools, int ranksPerPool, long frameNanos) {
        this.ranksPerPool = ranksPerPool;
        this.frameNanos = frameNanos;
        this.planner = new Planner(
                IntStream.range(0, pools).mapToObj(InProcessFeed::pool).toList());
        this.ids = new byte[pools * ranksPerPool][];
        this.endpoints = new String[ids.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = FrameTemplates.workerIdBytes(i);
            endpoints[i] = "tcp://10.0." + i / 250 + "." + i % 250 + ":20380";
        }
        for (int i = 0; i < payloads.length; i++) {
            payloads[i] = templates.payload(i);
        }
    }

    private static PoolSettings pool(int index) {
        return new PoolSettings(
                        "bench-" + index,
                        "",
                        Role.AGGREGATED,
                        new SloTarget(1, 0.05, 0.95),
                        EngineLimits.defaults(),
                        new ScalingSettings(1, MOST_RANKS, 0.8, 60, 20),
                        LivenessSettings.defaults())
                .withRanks(new RankLimits(MOST_RANKS, 16));
    }

    Planner planner() {
        return planner;
    }

    long nowNanos() {
        return nowNanos;
    }

    /** From the bytes of the next frame to the model. */
    void next() {
        rank++;
        if (rank >= ids.length) {
            rank = 0;
            round++;
        }
        nowNanos += frameNanos;
        int step = round % FrameTemplates.STEPS;
        byte[] payload = payloads[step];
        System.arraycopy(ids[rank], 0, payload, templates.workerIdAt(step), ids[rank].length);
        if (decoder.decode(payload, 0, payload.length, frame) != null) {
            throw new IllegalStateException("a payload of the bench was refused");
        }
        planner.onFrame(rank / ranksPerPool, frame.arrival(endpoints[rank], round, nowNanos));
    }
}
