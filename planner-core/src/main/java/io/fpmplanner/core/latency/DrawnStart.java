/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/** A state that a rank may be in, request by request. Not threadsafe. */
final class DrawnStart {
    private static final int OTHER = -1;

    /** With its sums, for many trials begin with it. */
    private final TwinBatch running = new TwinBatch();

    private double cutDone;
    private double cutLeft;
    private double cutOutput;
    private final TwinRequests queue = new TwinRequests();
    private int preempted;
    private double leftOut;

    /** So many requests will run. */
    void expect(int requests) {
        running.reserve(requests);
    }

    void run(double contextTokens, double tokensLeft) {
        running.add(OTHER, contextTokens, Math.max(1, tokensLeft));
    }

    void cut(double doneTokens, double leftTokens, double outputTokens) {
        cutDone = doneTokens;
        cutLeft = leftTokens;
        cutOutput = outputTokens;
    }

    void queue(double cachedTokens, double leftTokens, double outputTokens) {
        queue.add(OTHER, cachedTokens, leftTokens, outputTokens);
    }

    /** One that lost its place in the KV cache; before all that wait for their first tokens. */
    void preempted(double contextTokens, double outputTokens) {
        queue.add(OTHER, 0, contextTokens, outputTokens);
        preempted++;
    }

    void leaveOut(double promptTokens) {
        leftOut = promptTokens;
    }

    /** Prompt tokens of the queue that were left out. */
    double leftOut() {
        return leftOut;
    }

    /** Puts an engine into this state at that time; no step is begun. */
    void putInto(EngineTwin engine, double atSeconds) {
        engine.reset(atSeconds);
        engine.run(running);
        if (cutLeft > 0) {
            engine.cut(OTHER, cutDone, cutLeft, cutOutput);
        }
        for (int i = 0; i < queue.size(); i++) {
            engine.queue(OTHER, queue.doneTokens(i), queue.leftTokens(i), queue.outputTokens(i));
            if (i < preempted) {
                engine.lastWasPreempted();
            }
        }
    }
}
