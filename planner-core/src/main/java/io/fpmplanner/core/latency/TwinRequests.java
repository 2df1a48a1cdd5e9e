/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import java.util.Arrays;

/** A queue of requests as columns of numbers, in a ring. Not threadsafe. */
final class TwinRequests {
    private int[] requests = new int[16];
    private double[] done = new double[16];
    private double[] left = new double[16];
    private double[] output = new double[16];
    private double[] ready = new double[16];
    private int head;
    private int size;
    private double doneSum;

    void add(int request, double doneTokens, double leftTokens, double outputTokens) {
        if (size == requests.length) {
            grow();
        }
        set(slot(size++), request, doneTokens, leftTokens, outputTokens);
    }

    void addFirst(int request, double doneTokens, double leftTokens, double outputTokens) {
        if (size == requests.length) {
            grow();
        }
        head = head == 0 ? requests.length - 1 : head - 1;
        size++;
        set(head, request, doneTokens, leftTokens, outputTokens);
    }

    private void set(int slot, int request, double doneTokens, double leftTokens, double outputTokens) {
        requests[slot] = request;
        done[slot] = doneTokens;
        left[slot] = leftTokens;
        output[slot] = outputTokens;
        doneSum += doneTokens;
    }

    void moveFirstTo(TwinRequests other) {
        other.add(requests[head], done[head], left[head], output[head]);
        removeFirst();
    }

    void removeFirst() {
        doneSum -= done[head];
        head = head + 1 == requests.length ? 0 : head + 1;
        size--;
        if (size == 0) {
            doneSum = 0;
        }
    }

    void clear() {
        head = 0;
        size = 0;
        doneSum = 0;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int request(int index) {
        return requests[slot(index)];
    }

    /** Tokens in the cache already. */
    double doneTokens(int index) {
        return done[slot(index)];
    }

    /** Tokens in the cache already, summed. */
    double doneTokens() {
        return doneSum;
    }

    /** Prompt tokens still to be computed. */
    double leftTokens(int index) {
        return left[slot(index)];
    }

    /** Notes that all but so many tokens of a prompt are computed. */
    void setLeft(int index, double tokens) {
        int slot = slot(index);
        double computed = left[slot] - tokens;
        done[slot] += computed;
        doneSum += computed;
        left[slot] = tokens;
    }

    double outputTokens(int index) {
        return output[slot(index)];
    }

    double firstReady() {
        return ready[head];
    }

    void setLastReady(double seconds) {
        ready[slot(size - 1)] = seconds;
    }

    private int slot(int index) {
        int slot = head + index;
        return slot < requests.length ? slot : slot - requests.length;
    }

    private void grow() {
        int[] oldRequests = requests;
        requests = Arrays.copyOf(requests, 2 * size);
        for (int i = 0; i < size; i++) {
            requests[i] = oldRequests[(head + i) % size];
        }
        done = unrolled(done);
        left = unrolled(left);
        output = unrolled(output);
        ready = unrolled(ready);
        head = 0;
    }

    private double[] unrolled(double[] column) {
        double[] bigger = new double[2 * size];
        for (int i = 0; i < size; i++) {
            bigger[i] = column[(head + i) % size];
        }
        return bigger;
    }
}
