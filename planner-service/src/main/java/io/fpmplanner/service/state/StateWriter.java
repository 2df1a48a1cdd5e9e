/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import io.fpmplanner.core.planner.PlannerMemory;
import io.fpmplanner.core.pool.PoolMemory;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.scaling.FleetMemory;
import io.fpmplanner.models.LearnedStepTimes;
import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepTimeSettings;
import io.fpmplanner.models.StepWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
