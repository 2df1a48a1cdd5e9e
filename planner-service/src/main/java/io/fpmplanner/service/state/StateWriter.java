/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import io.fpmplanner.core.planner.PlannerMemory;
import io.fpmplanner.core.pool.PoolMemory;
import io.fpmplanner.core.pool.Role;
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
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A process that saves states as fast as it can, to be killed: it says the number of each that is saved. */
final class StateWriter {
    private static final int POOLS = 5;
    private static final int FRAMES = 200;

    private StateWriter() {}

    /** Saves to the directory that the first argument names, beginning with the number in the second. */
    public static void main(String[] arguments) throws IOException {
        StateFiles files = new StateFiles(Path.of(arguments[0]), Disk.REAL);
        LearnedStepTimes learned = learned();
        for (long number = Long.parseLong(arguments[1]); ; number++) {
            files.save(MemoryJson.write(memory(number, learned)));
            System.out.println(number);
            System.out.flush();
        }
    }

    /** A state of many pools, each with a log as long as is kept. */
    static PlannerMemory full(long nowNanos, int pools) {
        LearnedStepTimes learned = learned();
        FleetMemory fleet = new FleetMemory(4, 4, List.of(), List.of(60.0), FleetMemory.NOTHING.regret());
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
        FleetMemory fleet = new FleetMemory((int) number, 0, List.of(), List.of(), FleetMemory.NOTHING.regret());
        PoolMemory pool = new PoolMemory(List.of(new PoolMemory.ScopeMemory("", 1, learned)), List.of());
        return new PlannerMemory(
                number,
                IntStream.range(0, POOLS)
                        .mapToObj(i -> new PlannerMemory.OfPool("pool-" + i, "", Role.DECODE, pool, fleet, List.of()))
                        .toList());
    }
}
