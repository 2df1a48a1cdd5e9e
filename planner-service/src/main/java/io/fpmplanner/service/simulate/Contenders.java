/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import io.fpmplanner.sim.policy.Baselines;
import io.fpmplanner.sim.policy.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All policies that can be compared: those of others and the planner itself. */
final class Contenders {
    private static final List<Contender> OURS = List.of(
            Contender.of(
                    "fpm-planner",
                    "this planner, cold, on each frame, deciding each second",
                    (task, rehearsal) -> new PlannerAutoscaler(task, FrameSampling.WHOLE_STREAM)),
            Contender.of(
                    "fpm-planner-polled",
                    "this planner, cold, on the newest frame of each rank every 5 s",
                    (task, rehearsal) -> new PlannerAutoscaler(task, FrameSampling.NEWEST_EACH_FIVE_SECONDS)));

    private Contenders() {}

    static List<Contender> all() {
        List<Contender> all = new ArrayList<>(Baselines.all());
        all.addAll(OURS);
        return all;
    }

    static Optional<Contender> find(String id) {
        return OURS.stream()
                .filter(contender -> contender.id().equals(id))
                .findFirst()
                .or(() -> Baselines.find(id));
    }
}
