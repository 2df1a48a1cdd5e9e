/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * A cut from a recorded trace. Immutable.
 *
 * @param entries the whole trace, in order of time
 * @param cut what is taken of it
 */
public record RecordedWorkload(List<Entry> entries, Cut cut) implements Workload {
    public RecordedWorkload {
        entries = List.copyOf(entries);
    }

    /**
     * A recorded request. Immutable.
     *
     * @param seconds since the trace began
     * @param inputTokens prompt length
     * @param outputTokens length of the answer
     * @param prefix hashes of the prompt's leading blocks
     */
    public record Entry(double seconds, int inputTokens, int outputTokens, PrefixBlocks prefix) {}

    /**
     * What is taken of a trace. Immutable.
     *
     * @param fromSeconds where the cut begins, on the trace's clock; &ge; 0
     * @param speed seconds of the trace in one of the run; &gt; 0
     * @param share of the requests that is taken, drawn by the seed; in (0, 1]
     * @param longestTokens prompt and answer together; longer requests are left out
     */
    public record Cut(double fromSeconds, double speed, double share, int longestTokens) {
        public Cut {
            if (!(fromSeconds >= 0) || Double.isInfinite(fromSeconds)) {
                throw new IllegalArgumentException("a cut begins at 0 s or later, was " + fromSeconds);
            }
            if (!(speed > 0) || speed > 1e6) {
                throw new IllegalArgumentException("speed must be above 0 and at most 1000000, was " + speed);
            }
            if (!(share > 0 && share <= 1)) {
                throw new IllegalArgumentException("share must be above 0 and at most 1, was " + share);
            }
            if (longestTokens < 2) {
                throw new IllegalArgumentException("longest must be at least 2 tokens, was " + longestTokens);
            }
        }
    }

    @Override
    public List<Request> requests(long startNanos, double seconds, long seed) {
        RandomVariates variates = new RandomVariates(seed);
        List<Request> requests = new ArrayList<>();
        for (Entry entry : entries) {
            double since = (entry.seconds() - cut.fromSeconds()) / cut.speed();
            if (since < 0) {
                continue;
            }
            if (since >= seconds) {
                break;
            }
            boolean fits = (long) entry.inputTokens() + entry.outputTokens() <= cut.longestTokens();
            if (variates.uniform() < cut.share() && fits) {
                requests.add(new Request(
                        requests.size(),
                        startNanos + (long) (since * 1e9),
                        entry.inputTokens(),
                        0,
                        entry.outputTokens(),
                        entry.prefix()));
            }
        }
        return requests;
    }
}
