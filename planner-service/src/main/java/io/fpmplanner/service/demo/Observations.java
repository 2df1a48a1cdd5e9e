/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What requests saw, until it is posted to the planner as a gateway would. Threadsafe; of more than {@value #MOST} waiting in a
 * pool the rest is forgotten.
 */
final class Observations {
    private static final int MOST = 500;

    /**
     * One latency of one request.
     *
     * @param latency its name in REST
     * @param arrivalNanos when the request came, nanoseconds since the Unix epoch
     * @param seconds the latency, &gt; 0
     */
    record Observation(String latency, long arrivalNanos, double seconds) {}

    private final Map<String, ArrayBlockingQueue<Observation>> waiting = new ConcurrentHashMap<>();

    void add(String poolId, Observation observation) {
        if (observation.seconds() > 0) {
            boolean unused = waiting.computeIfAbsent(poolId, any -> new ArrayBlockingQueue<>(MOST))
                    .offer(observation);
        }
    }

    /** Takes all that wait in a pool. */
    List<Observation> take(String poolId) {
        List<Observation> taken = new ArrayList<>();
        ArrayBlockingQueue<Observation> queue = waiting.get(poolId);
        if (queue != null) {
            queue.drainTo(taken);
        }
        return taken;
    }
}
