/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import io.fpmplanner.sim.policy.Contender;
import io.fpmplanner.sim.scenario.Scenario;
import io.fpmplanner.sim.scenario.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Plays scenarios with policies and seeds. Immutable, threadsafe.
 *
 * @param scenarios what is played, each in all its topologies
 * @param contenders who decides
 * @param seeds of what is random; each policy meets the same
 */
public record Board(List<Scenario> scenarios, List<Contender> contenders, List<Long> seeds) {
    public Board {
        scenarios = List.copyOf(scenarios);
        contenders = List.copyOf(contenders);
        seeds = List.copyOf(seeds);
    }

    /** Number of runs. */
    public int runs() {
        return contenders.size()
                * seeds.size()
                * scenarios.stream()
                        .mapToInt(scenario -> scenario.fleet().topologies().size())
                        .sum();
    }

    /**
     * Plays all runs.
     *
     * @param threads runs at a time; &ge; 1
     * @param progress told of each run that ended, in no particular order, from several threads
     * @return in the order of scenarios, topologies, policies and seeds, whatever the number of threads
     * @throws IllegalArgumentException if a scenario cannot be played
     */
    public List<RunResult> play(int threads, Consumer<RunResult> progress) {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<RunResult>> futures = new ArrayList<>();
            for (Scenario scenario : scenarios) {
                for (Topology topology : Topology.values()) {
                    if (scenario.fleet().topologies().contains(topology)) {
                        submit(scenario, topology, progress, executor, futures);
                    }
                }
            }
            List<RunResult> results = new ArrayList<>();
            for (Future<RunResult> future : futures) {
                results.add(await(future));
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }

    private void submit(
            Scenario scenario,
            Topology topology,
            Consumer<RunResult> progress,
            ExecutorService executor,
            List<Future<RunResult>> futures) {
        for (Contender contender : contenders) {
            for (long seed : seeds) {
                futures.add(executor.submit(() -> {
                    RunResult result = new RunStage(scenario, topology, seed).play(contender.id(), contender.factory());
                    progress.accept(result);
                    return result;
                }));
            }
        }
    }

    private static RunResult await(Future<RunResult> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while scenarios were played", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("a run failed", e.getCause());
        }
    }
}
