/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import java.util.Arrays;

/**
 * Requests that stand in the queue of an engine to see when their turn comes, and take no place when it does. Not
 * threadsafe.
 */
final class TwinProbes {
    /*
     * In a queue nobody overtakes, so what a request meets until its own prefill begins does not depend on what it does after
     * that. One that vanishes then leaves the engine as if it had never come, and one play of an engine can be asked at many
     * moments. What stays of it: whoever stands behind one that finds no room waits for it, as for any other.
     *
     * Places are counts of those who have left the queue: a turn comes when all ahead have. In the decode role there are two
     * queues, for room in the KV cache and for a seat in the batch; probes up to `entered` are in the second.
     */
    private final TrialResults results;
    private int[] trial = new int[4];
    private double[] done = new double[4];
    private double[] left = new double[4];
    private double[] output = new double[4];
    private long[] place = new long[4];
    private long[] half = new long[4];
    private int size;
    private int entered;
    private int first;
    private int told;
    private long taken;
    private long joined;

    TwinProbes(TrialResults results) {
        this.results = results;
    }

    void clear() {
        size = entered = first = told = 0;
        taken = joined = 0;
    }

    /** One comes to the end of a queue of so many. */
    void add(int ofTrial, double doneTokens, double leftTokens, double outputTokens, int waiting) {
        if (size == trial.length) {
            grow();
        }
        trial[size] = ofTrial;
        done[size] = doneTokens;
        left[size] = leftTokens;
        output[size] = outputTokens;
        place[size] = taken + waiting;
        half[size] = taken + waiting - waiting / 2;
        size++;
    }

    private void grow() {
        trial = Arrays.copyOf(trial, 2 * size);
        done = Arrays.copyOf(done, 2 * size);
        left = Arrays.copyOf(left, 2 * size);
        output = Arrays.copyOf(output, 2 * size);
        place = Arrays.copyOf(place, 2 * size);
        half = Arrays.copyOf(half, 2 * size);
    }

    /** Those that have not had their turn. */
    int waiting() {
        return size - first;
    }

    /** The first of the queue leaves it. */
    void taken(double nowSeconds) {
        taken++;
        for (int i = first; i < size; i++) {
            if (half[i] == taken) {
                results.half(trial[i], nowSeconds);
            }
        }
    }

    /** One comes back to the head of the queue. */
    void putBack() {
        taken--;
    }

    /** Whether a probe stands before all others in the queue. */
    boolean isFirst() {
        return entered < size && place[entered] <= taken;
    }

    /** Of the one that is first. */
    double doneTokens() {
        return done[entered];
    }

    double leftTokens() {
        return left[entered];
    }

    double outputTokens() {
        return output[entered];
    }

    /** The turn of the first has come: its prompt would be taken into the step that begins now. */
    void turn(double nowSeconds, TwinAdmission engine) {
        results.met(trial[first], nowSeconds, engine);
        entered++;
        told = ++first;
    }

    /** The first would have room, and wait for a seat behind so many. */
    void enter(int before) {
        place[entered++] = joined + before;
    }

    /** One has taken a seat. */
    void joined() {
        joined++;
    }

    /** Whether a probe is the next to take a seat. */
    boolean isNextToJoin() {
        return first < entered && place[first] <= joined;
    }

    /** It would take it now. */
    void join() {
        first++;
    }

    /** Whether one has taken a seat for the step that begins. */
    boolean isAnyJoined() {
        return told < first;
    }

    /** Context of the one that took its seat first. */
    double joinedTokens() {
        return done[told] + left[told];
    }

    /** It will have its token then. */
    void token(double seconds, TwinAdmission engine) {
        results.met(trial[told++], seconds, engine);
    }

    /** None of those left is waited for any longer. */
    void giveUp(double nowSeconds, TwinBatch batch) {
        for (int i = told; i < size; i++) {
            results.gaveUp(trial[i], nowSeconds, batch);
        }
        entered = first = told = size;
    }
}
