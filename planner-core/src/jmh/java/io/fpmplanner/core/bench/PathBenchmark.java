/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.bench;

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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A frame's whole way in one thread: payload bytes, decoder, rank, window, learner. Ranks of one pool take turns, each
 * with a step every 20 ms of its own time, an endpoint and a worker id of its own.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PathBenchmark {
    private static final int STEPS = 1024;
    private static final long STEP_NANOS = 20_000_000;
    /** More than a window holds. */
    private static final int ROUNDS_BEFORE = 600;

    @Param({"10", "100", "1000", "10000"})
    public int ranks;

    private final byte[][] steps = new byte[STEPS][];
    private final int[] idOffsets = new int[STEPS];
    private byte[][] ids = {};
    private String[] endpoints = {};
    private final FpmDecoder decoder = new FpmDecoder();
    private final FpmFrame frame = new FpmFrame();
    private final Planner planner = new Planner(List.of(new PoolSettings(
                    "pool",
                    "",
                    Role.AGGREGATED,
                    new SloTarget(1, 0.05, 0.95),
                    EngineLimits.defaults(),
                    new ScalingSettings(1, 20_000, 0.8, 60, 20),
                    LivenessSettings.defaults())
            .withRanks(new RankLimits(20_000, 16))));
    private int rank;
    private int round;
    private long nowNanos = 1_700_000_000_000_000_000L;

    @Setup
    public void fillWindows() {
        Payloads source = new Payloads(false);
        byte[] id = Payloads.workerId(0).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < STEPS; i++) {
            steps[i] = source.next(0);
            idOffsets[i] = new String(steps[i], StandardCharsets.ISO_8859_1)
                    .indexOf(new String(id, StandardCharsets.US_ASCII));
        }
        ids = new byte[ranks][];
        endpoints = new String[ranks];
        for (int i = 0; i < ranks; i++) {
            ids[i] = Payloads.workerId(i).getBytes(StandardCharsets.US_ASCII);
            endpoints[i] = "tcp://10.0." + i / 250 + "." + i % 250 + ":20380";
        }
        for (long i = 0; i < (long) ROUNDS_BEFORE * ranks; i++) {
            bytesToModel();
        }
        planner.tick(nowNanos);
    }

    @Benchmark
    public Object bytesToModel() {
        rank++;
        if (rank >= ranks) {
            rank = 0;
            round++;
        }
        nowNanos += STEP_NANOS / ranks;
        int step = round & (STEPS - 1);
        byte[] payload = steps[step];
        System.arraycopy(ids[rank], 0, payload, idOffsets[step], Payloads.WORKER_ID_BYTES);
        Object reason = decoder.decode(payload, 0, payload.length, frame);
        if (reason != null) {
            throw new IllegalStateException("refused: " + reason);
        }
        planner.onFrame(0, frame.arrival(endpoints[rank], round, nowNanos));
        return frame;
    }
}
