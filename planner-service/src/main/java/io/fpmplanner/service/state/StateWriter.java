/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import io.fpmplanner.core.planner.PlannerMemory;
import io.fpmplanner.core.pool.PoolMemory;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.scaling.ArrivalMemory;
import io.fpmplanner.core.scaling.Decision;
import io.fpmplanner.core.scaling.FleetMemory;
import io.fpmplanner.core.scaling.LimitingFactor;
import io.fpmplanner.core.scaling.ReasonCode;
import io.fpmplanner.core.scaling.ScalingStatus;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.LearnedStepTimes;
import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepTimeSettings;
import io.fpmplanner.models.StepWorkload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A process in which writers save states as fast as they can, to be killed: each says its own number and that of each state that
 * is saved.
 */
final class StateWriter {
    static final int POOLS = 5;
    private static final int FRAMES = 200;

    private StateWriter() {}

    /** For each writer a directory and the number that it begins with. */
    public static void main(String[] arguments) {
        LearnedStepTimes learned = learned();
        for (int i = 0; i < arguments.length / 2; i++) {
            int writer = i;
            Path directory = Path.of(arguments[2 * i]);
            long first = Long.parseLong(arguments[2 * i + 1]);
            new Thread(() -> write(writer, directory, first, learned), "writer-" + i).start();
        }
    }

    private static void write(int writer, Path directory, long first, LearnedStepTimes learned) {
        StateFiles files = new StateFiles(directory, Disk.REAL);
        for (long number = first; ; number++) {
            try {
                files.save(MemoryJson.write(memory(number, learned)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            // One write a line: lines of two writers never mix.
            byte[] line = (writer + " " + number + "\n").getBytes(StandardCharsets.US_ASCII);
            System.out.write(line, 0, line.length);
            System.out.flush();
        }
    }

    /** A state of many pools, each with a log as long as is kept. */
    static PlannerMemory full(long nowNanos, int pools) {
        LearnedStepTimes learned = learned();
        FleetMemory fleet =
                new FleetMemory(4, 4, List.of(), List.of(60.0), FleetMemory.NOTHING.regret(), ArrivalMemory.NOTHING);
        PoolMemory pool = new PoolMemory(List.of(new PoolMemory.ScopeMemory("", 1, learned)), List.of());
        List<Decision> log = IntStream.rangeClosed(1, PlannerMemory.OfPool.MOST_DECISIONS)
                .mapToObj(number -> new Decision(
                        number,
                        nowNanos - 1_000_000_000L,
                        ScalingStatus.UNDER_PROVISIONED,
                        OptionalInt.of(number),
                        OptionalInt.of(number - 1),
                        3,
                        1,
                        OptionalDouble.of(number - 0.3),
                        OptionalDouble.of(7.1 * number),
                        ReasonCode.DEMAND_ABOVE_CAPACITY,
                        Optional.of(LimitingFactor.COLD_START),
                        false,
                        Evidence.READY,
                        "12.3 requests/s need 4.2 replicas at 0.9 of what one can serve within the objectives;"
                                + " there are 3"))
                .toList();
        return new PlannerMemory(
                nowNanos,
                IntStream.range(0, pools)
                        .mapToObj(i -> new PlannerMemory.OfPool("pool-" + i, "", Role.DECODE, pool, fleet, log))
                        .toList());
    }

    private static LearnedStepTimes learned() {
        SplittableRandom random = new SplittableRandom(1);
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        StepWorkload step = new StepWorkload();
        for (int i = 0; i < FRAMES; i++) {
            step.clear().decode(1 + random.nextInt(64), random.nextInt(100_000), random.nextInt(10_000));
            model.observe(step, 0.01 + 1e-4 * step.decodeRequests());
        }
        return model.export();
    }

    /** The number is in the time, and, for each pool, in what was recommended. */
    private static PlannerMemory memory(long number, LearnedStepTimes learned) {
        FleetMemory fleet = new FleetMemory(
                (int) number, 0, List.of(), List.of(), FleetMemory.NOTHING.regret(), ArrivalMemory.NOTHING);
        PoolMemory pool = new PoolMemory(List.of(new PoolMemory.ScopeMemory("", 1, learned)), List.of());
        return new PlannerMemory(
                number,
                IntStream.range(0, POOLS)
                        .mapToObj(i -> new PlannerMemory.OfPool("pool-" + i, "", Role.DECODE, pool, fleet, List.of()))
                        .toList());
    }
}
