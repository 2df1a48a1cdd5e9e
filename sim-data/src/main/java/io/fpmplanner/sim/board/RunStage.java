/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.fleet.Fault;
import io.fpmplanner.sim.fleet.FleetSettings;
import io.fpmplanner.sim.fleet.PoolSpec;
import io.fpmplanner.sim.fleet.Traffic;
import io.fpmplanner.sim.policy.Autoscaler;
import io.fpmplanner.sim.policy.PolicyFactory;
import io.fpmplanner.sim.policy.PoolTask;
import io.fpmplanner.sim.policy.Rehearsal;
import io.fpmplanner.sim.policy.ScalingTask;
import io.fpmplanner.sim.scenario.EnginePreset;
import io.fpmplanner.sim.scenario.PlannedFault;
import io.fpmplanner.sim.scenario.Scenario;
import io.fpmplanner.sim.scenario.Topology;
import io.fpmplanner.sim.workload.ListedRequests;
import io.fpmplanner.sim.workload.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Everything of a run that does not depend on who decides. Immutable, threadsafe. */
public final class RunStage {
    static final String AGGREGATED = "agg";
    static final String PREFILL = "prefill";
    static final String DECODE = "decode";

    /** Time to hand a KV cache over; a few gigabytes over a fast network. */
    private static final long TRANSFER_NANOS = 15_000_000;

    private static final long RECENT_NANOS = 10_000_000_000L;
    /** Profiles measure each point once in the life of the process. */
    private static final Map<EnginePreset, MeasuredProfile> PROFILES = new ConcurrentHashMap<>();

    private final Scenario scenario;
    private final Topology topology;
    private final long seed;
    private final List<Request> requests;
    private final ScalingTask task;

    /** @throws IllegalArgumentException if so many requests would arrive that no run could end */
    public RunStage(Scenario scenario, Topology topology, long seed) {
        this.scenario = scenario;
        this.topology = topology;
        this.seed = seed;
        this.requests = scenario.workload().requests(0, scenario.timing().arrivalSeconds(), seed * 0x9E3779B97F4A7C15L);
        EnginePreset engine = scenario.fleet().engine().preset();
        List<PoolTask> pools = topology == Topology.AGGREGATED
                ? List.of(pool(AGGREGATED, EngineKind.AGGREGATED))
                : List.of(pool(PREFILL, EngineKind.PREFILL_ONLY), pool(DECODE, EngineKind.DECODE_ONLY));
        this.task = new ScalingTask(
                scenario.objective(),
                pools,
                PROFILES.computeIfAbsent(engine, preset -> new MeasuredProfile(preset.settings(), preset::law)));
    }

    private PoolTask pool(String id, EngineKind kind) {
        EngineSettings engine = scenario.fleet().engine().settings().as(kind, TRANSFER_NANOS);
        Scenario.ReplicaBounds bounds = scenario.fleet().replicas();
        return new PoolTask(
                id,
                engine,
                bounds.initial(),
                bounds.lowest(),
                bounds.highest(),
                scenario.fleet().start().coldStartSeconds());
    }

    /** Plays the run with a policy. */
    public RunResult play(String policyId, PolicyFactory policy) {
        Autoscaler autoscaler = policy.create(task, new Foresight());
        FleetRun run = play(autoscaler);
        return new RunResult(new RunCase(scenario, topology, policyId, seed), run.score(), run.timeline());
    }

    private FleetRun play(Autoscaler autoscaler) {
        FleetRun run = new FleetRun(this, autoscaler);
        run.play();
        return run;
    }

    Scenario scenario() {
        return scenario;
    }

    ScalingTask task() {
        return task;
    }

    /** The fleet as it stands at the beginning. */
    FleetSettings fleet(Autoscaler autoscaler) {
        List<PoolSpec> specs = task.pools().stream()
                .map(pool -> spec(pool, autoscaler.initialReplicas(pool)))
                .toList();
        String entry = task.pools().get(0).id();
        return new FleetSettings(
                specs,
                List.of(new Traffic(entry, new ListedRequests(requests))),
                0,
                RECENT_NANOS,
                seed * 0xD1B54A32D192ED03L,
                faults());
    }

    private List<Fault> faults() {
        List<Fault> faults = new ArrayList<>();
        for (PlannedFault planned : scenario.faults()) {
            task.pools().stream().map(PoolTask::id).filter(planned::concerns).forEach(id -> faults.add(planned.in(id)));
        }
        return faults;
    }

    private PoolSpec spec(PoolTask pool, int initial) {
        @Nullable String handOverTo = pool.engine().kind() == EngineKind.PREFILL_ONLY ? DECODE : null;
        return new PoolSpec(
                pool.id(),
                pool.engine(),
                scenario.fleet().engine()::law,
                scenario.fleet().router(),
                new PoolSpec.Replicas(
                        initial,
                        pool.maxReplicas(),
                        4 * pool.maxReplicas(),
                        scenario.fleet().start().coldStart(),
                        1),
                handOverTo);
    }

    private final class Foresight implements Rehearsal {
        @Override
        public int seconds() {
            return scenario.timing().seconds();
        }

        @Override
        public List<Arrival> arrivals() {
            return requests.stream()
                    .map(request ->
                            new Arrival(request.arrivalNanos() * 1e-9, request.inputTokens(), request.outputTokens()))
                    .toList();
        }

        @Override
        public Outcome play(Autoscaler policy) {
            RunScore score = RunStage.this.play(policy).score();
            return new Outcome(score.goodRate(), score.good(), score.gpuSeconds());
        }
    }
}
