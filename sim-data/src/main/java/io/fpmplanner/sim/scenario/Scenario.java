/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.fleet.ColdStart;
import io.fpmplanner.sim.fleet.Router;
import io.fpmplanner.sim.law.ArtefactLaw;
import io.fpmplanner.sim.law.Artefacts;
import io.fpmplanner.sim.policy.LatencyObjective;
import io.fpmplanner.sim.workload.Workload;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One test of autoscalers. Immutable.
 *
 * @param name label-safe name
 * @param title what it is about, in a sentence
 * @param timing how long it takes
 * @param objective when a request is good
 * @param fleet engines and their bounds
 * @param workload what arrives
 * @param faults what goes wrong
 */
public record Scenario(
        String name,
        String title,
        Timing timing,
        LatencyObjective objective,
        ServingFleet fleet,
        Workload workload,
        List<PlannedFault> faults) {
    public Scenario {
        faults = List.copyOf(faults);
    }

    /**
     * How long a run takes. Immutable.
     *
     * @param arrivalSeconds while requests arrive; whole seconds, &ge; 1
     * @param drainSeconds after that, until what is not answered counts as bad; &ge; 0
     */
    public record Timing(int arrivalSeconds, int drainSeconds) {
        public Timing {
            if (arrivalSeconds < 1 || arrivalSeconds > 86_400 || drainSeconds < 0 || drainSeconds > 86_400) {
                throw new IllegalArgumentException(
                        "a run takes 1 to 86400 s of arrivals and 0 to 86400 s of draining, was " + arrivalSeconds
                                + " and " + drainSeconds);
            }
        }

        /** From the beginning to the end. */
        public int seconds() {
            return arrivalSeconds + drainSeconds;
        }
    }

    /**
     * Engines and their bounds. Immutable.
     *
     * @param topologies in which the scenario is played; at least one
     * @param engine what each replica is
     * @param router how requests are spread over replicas
     * @param replicas bounds of each pool
     * @param start how replicas come
     */
    public record ServingFleet(
            Set<Topology> topologies, ServedEngine engine, Router router, ReplicaBounds replicas, Start start) {
        public ServingFleet {
            topologies = Set.copyOf(topologies);
            if (topologies.isEmpty()) {
                throw new IllegalArgumentException("a scenario needs a topology");
            }
        }
    }

    /**
     * What a replica is. Immutable.
     *
     * @param preset model, GPU and limits
     * @param prefixCaching whether it finds blocks of earlier prompts again
     * @param artefacts what it does beyond what a law says; empty for a little noise only
     */
    public record ServedEngine(EnginePreset preset, boolean prefixCaching, Optional<Artefacts> artefacts) {
        /** Limits of an aggregated engine. */
        public EngineSettings settings() {
            return preset.settings().withPrefixCaching(prefixCaching);
        }

        /** Step times of one replica. */
        public StepTimeLaw law(long seed) {
            return artefacts
                    .<StepTimeLaw>map(seen -> new ArtefactLaw(preset.law(), seen, seed))
                    .orElseGet(() -> preset.noisyLaw(seed));
        }
    }

    /**
     * How replicas come. Immutable.
     *
     * @param coldStartSeconds from order to readiness, in the median; &ge; 0
     * @param sigma standard deviation of its logarithm; in [0, 3]
     * @param neverReadyShare share of starts that hold their GPU and never become ready; in [0, 1]
     */
    public record Start(double coldStartSeconds, double sigma, double neverReadyShare) {
        public Start {
            if (!(coldStartSeconds >= 0 && coldStartSeconds <= 86_400)) {
                throw new IllegalArgumentException("a cold start takes 0 to 86400 s, was " + coldStartSeconds);
            }
            new ColdStart(0, sigma, neverReadyShare); // Checks the others.
        }

        /** The same for a fleet. */
        public ColdStart coldStart() {
            return new ColdStart((long) (coldStartSeconds * 1e9), sigma, neverReadyShare);
        }
    }

    /**
     * Replicas of each pool. Immutable.
     *
     * @param initial ready at the beginning
     * @param lowest never fewer
     * @param highest never more; &ge; 1
     */
    public record ReplicaBounds(int initial, int lowest, int highest) {
        public ReplicaBounds {
            if (lowest < 0 || initial < lowest || highest < initial || highest < 1 || highest > 1_000) {
                throw new IllegalArgumentException(
                        "replicas must satisfy 0 <= lowest <= initial <= highest, 1 <= highest <= 1000, were lowest "
                                + lowest + ", initial " + initial + " and highest " + highest);
            }
        }
    }
}
