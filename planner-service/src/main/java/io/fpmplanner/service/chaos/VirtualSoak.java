/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.service.config.PoolConfig;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Hours of a planner's life in minutes: pools whose workers come, work through days that are minutes long, and go, on a
 * clock that runs as fast as the planner can.
 */
final class VirtualSoak {
    private static final int POOLS = 4;
    private static final int WORKERS = 6;
    private static final long TICK_NANOS = 1_000_000_000L;
    private static final int STEPS_A_TICK = 8;
    private static final int TICKS_AN_HOUR = 3_600;
    /** A worker lives so long and is then replaced by one of another name. */
    private static final int LIFE_TICKS = 900;

    private static final double DAY_TICKS = 1_200;
    private static final int SAMPLES = 24;

    private final SplittableRandom random;
    private final Planner planner;
    private final FpmFrame frame = new FpmFrame();
    private final long[] counters = new long[POOLS * WORKERS];
    private long nowNanos = 1_700_000_000_000_000_000L;
    private long frames;

    VirtualSoak(long seed) {
        this.random = new SplittableRandom(seed);
        this.planner = new Planner(settings());
    }

    private static List<PoolSettings> settings() {
        List<String> settings = new ArrayList<>();
        for (int i = 0; i < POOLS; i++) {
            settings.add("pools[" + i + "].id=pool-" + i);
            settings.add("pools[" + i + "].sources=http");
        }
        return DrillConfig.of(settings).pools().stream()
                .map(PoolConfig::settings)
                .toList();
    }

    /** Whether nothing grew. */
    boolean run(double hours, PrintWriter out) {
        Resources resources = new Resources();
        long start = System.nanoTime();
        int interval = Math.max(1, (int) (hours * TICKS_AN_HOUR / SAMPLES));
        for (int tick = 0; tick < hours * TICKS_AN_HOUR; tick++) {
            PlanView plan = tick(tick);
            if (tick % interval == 0) {
                long ranks = plan.pools().stream()
                        .mapToLong(pool -> pool.pool().workers().size())
                        .sum();
                out.printf(
                        Locale.ROOT,
                        "%5.1f h: %s, %d workers remembered, %,d frames%n",
                        (double) tick / TICKS_AN_HOUR,
                        resources.take().text(),
                        ranks,
                        frames);
                out.flush();
            }
        }
        boolean flat = resources.isFlat();
        out.printf(
                Locale.ROOT,
                "%.1f h in %.0f s, %,d frames: %s%n",
                hours,
                (System.nanoTime() - start) / 1e9,
                frames,
                flat ? "flat" : "GROWING");
        return flat;
    }

    private PlanView tick(int tick) {
        for (int pool = 0; pool < POOLS; pool++) {
            double load = 0.55 + 0.4 * Math.sin(2 * Math.PI * (tick / DAY_TICKS + (double) pool / POOLS));
            for (int worker = 0; worker < WORKERS; worker++) {
                work(pool, worker, (tick + 150 * worker) / LIFE_TICKS, load);
            }
        }
        nowNanos += TICK_NANOS;
        return planner.tick(nowNanos);
    }

    private void work(int pool, int worker, int life, double load) {
        String name = "p" + pool + "-w" + worker + "-" + life;
        for (int step = 0; step < STEPS_A_TICK; step++) {
            long number = counters[pool * WORKERS + worker]++;
            long running = 1 + random.nextLong((long) Math.ceil(64 * load));
            frame.clearPayload()
                    .workerId(name)
                    .counterId(number)
                    .wallTimeSeconds((0.012 + 0.0003 * running) * Math.exp(0.03 * random.nextGaussian()))
                    .scheduledDecode(running, 900 * running, 0)
                    .arrival(
                            "tcp://10.0." + pool + "." + worker + ":20380",
                            number,
                            nowNanos + step * TICK_NANOS / STEPS_A_TICK);
            planner.onFrame(pool, frame);
            frames++;
        }
    }
}
