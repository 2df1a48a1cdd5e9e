/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

import java.util.List;

/** What arrives at a fleet. Implementations are immutable; equal arguments give equal requests on every JDK. */
public interface Workload {
    /** More requests than this in one run are refused, lest a slip of the pen fills the memory. */
    int MOST_REQUESTS = 2_000_000;

    /**
     * The requests in order of arrival, ids from 0.
     *
     * @param startNanos beginning of the run, on the simulation's clock
     * @param seconds how long requests arrive
     * @param seed of all that is drawn
     * @throws IllegalArgumentException if there would be more than {@link #MOST_REQUESTS}
     */
    List<Request> requests(long startNanos, double seconds, long seed);
}
