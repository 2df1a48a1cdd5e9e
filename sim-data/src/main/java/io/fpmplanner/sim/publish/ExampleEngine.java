/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

import java.net.BindException;

/**
 * How an engine uses this package: a toy that decodes a batch of growing contexts and publishes each step.
 *
 * <p>{@code java -cp planner.jar io.fpmplanner.sim.publish.ExampleEngine ipc:///run/fpm worker-1 2 500} publishes 500 steps on
 * each of two ranks, on {@code ipc:///run/fpm.0} and {@code .1}; with {@code tcp://127.0.0.1:20380} on ports 20380 and 20381.
 */
public final class ExampleEngine {
    private static final int BATCH = 8;
    private static final long STEP_NANOS = 10_000_000;

    private ExampleEngine() {}

    /** Address, worker id, ranks, steps. */
    public static void main(String[] arguments) throws BindException, InterruptedException {
        int ranks = Integer.parseInt(arguments[2]);
        Thread[] threads = new Thread[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            ForwardPassPublisher publisher =
                    ForwardPassPublisher.bind(settings(arguments[0], arguments[1], rank), System::nanoTime);
            int dpRank = rank;
            int steps = Integer.parseInt(arguments[3]);
            threads[rank] = new Thread(() -> decode(publisher, arguments[1], dpRank, steps), "engine-" + rank);
            threads[rank].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static PublisherSettings settings(String address, String workerId, int dpRank) {
        if (address.startsWith("ipc://")) {
            return PublisherSettings.ofIpc(address.substring("ipc://".length()), workerId, dpRank);
        }
        int colon = address.lastIndexOf(':');
        int port = Integer.parseInt(address.substring(colon + 1));
        return PublisherSettings.of(port, workerId, dpRank).onHost(address.substring("tcp://".length(), colon));
    }

    private static void decode(ForwardPassPublisher publisher, String workerId, int dpRank, int steps) {
        Welford contexts = new Welford();
        try (publisher) {
            for (int step = 0; step < steps; step++) {
                long startNanos = System.nanoTime();
                contexts.clear();
                long kvTokens = 0;
                for (int request = 0; request < BATCH; request++) {
                    int context = 100 * (request + 1) + step;
                    contexts.add(context);
                    kvTokens += context;
                }
                Thread.sleep(STEP_NANOS / 1_000_000); // here a real engine computes
                ScheduledRequests scheduled =
                        new ScheduledRequests(0, 0, 0.0, 0, BATCH, kvTokens, contexts.populationVariance());
                double wallTimeSeconds = (System.nanoTime() - startNanos) / 1e9;
                publisher.publish(new ForwardPassMetrics(
                        workerId, dpRank, 0, null, wallTimeSeconds, scheduled, QueuedRequests.NONE));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
