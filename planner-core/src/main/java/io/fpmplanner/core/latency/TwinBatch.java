/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import java.util.Arrays;

/** The requests that decode together, in order of admission. Not threadsafe. */
final class TwinBatch {
    /*
     * All contexts grow by one a step, so each is kept relative to the number of steps so far: a step changes one
     * counter, and the variance of the contexts not at all.
     */
    private int[] requests = new int[16];
    private double[] context = new double[16];
    private double[] end = new double[16];
    private boolean[] awaited = new boolean[16];
    private int size;
    private double steps;
    private double contextSum;
    private double squareSum;
    private double endSum;
    private double firstEnd = Double.POSITIVE_INFINITY;
    private int awaitedCount;

    void clear() {
        size = 0;
        steps = 0;
        contextSum = 0;
        squareSum = 0;
        endSum = 0;
        firstEnd = Double.POSITIVE_INFINITY;
        awaitedCount = 0;
    }

    void add(int request, double contextTokens, double tokensLeft) {
        if (size == requests.length) {
            grow(2 * size);
        }
        double relative = contextTokens - steps;
        requests[size] = request;
        context[size] = relative;
        end[size] = steps + tokensLeft;
        awaited[size] = false;
        contextSum += relative;
        squareSum += relative * relative;
        endSum += end[size];
        firstEnd = Math.min(firstEnd, end[size]);
        size++;
    }

    /**
     * Takes as the whole batch so many alike requests that have run before.
     *
     * @param contexts of each, tokens
     * @param tokensLeft of each
     */
    void fill(int request, double[] contexts, double[] tokensLeft, int count) {
        clear();
        if (count > requests.length) {
            grow(count);
        }
        System.arraycopy(contexts, 0, context, 0, count);
        System.arraycopy(tokensLeft, 0, end, 0, count);
        Arrays.fill(requests, 0, count, request);
        Arrays.fill(awaited, 0, count, false);
        for (int i = 0; i < count; i++) {
            contextSum += contexts[i];
            squareSum += contexts[i] * contexts[i];
            endSum += tokensLeft[i];
        }
        size = count;
        findFirstEnd();
    }

    private void grow(int capacity) {
        requests = Arrays.copyOf(requests, capacity);
        context = Arrays.copyOf(context, capacity);
        end = Arrays.copyOf(end, capacity);
        awaited = Arrays.copyOf(awaited, capacity);
    }

    /** The one added last has had no token yet. */
    void awaitFirstToken() {
        awaited[size - 1] = true;
        awaitedCount++;
    }

    boolean isAnyAwaited() {
        return awaitedCount > 0;
    }

    /** Whether the request has its first token with the steps just done; true once. */
    boolean firstTokenDue(int index) {
        if (!awaited[index]) {
            return false;
        }
        awaited[index] = false;
        awaitedCount--;
        return true;
    }

    void advance(double count) {
        steps += count;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int request(int index) {
        return requests[index];
    }

    /** Context lengths, tokens, summed. */
    double contextTokens() {
        return contextSum + size * steps;
    }

    double contextTokens(int index) {
        return context[index] + steps;
    }

    /** Tokens still to be generated, summed. */
    double tokensLeft() {
        return endSum - size * steps;
    }

    double tokensLeft(int index) {
        return end[index] - steps;
    }

    /** Population variance of the context lengths, tokens squared. */
    double variance() {
        if (size < 2) {
            return 0;
        }
        double mean = contextSum / size;
        return Math.max(0, squareSum / size - mean * mean);
    }

    double stepsUntilFinish() {
        return Math.max(1, Math.ceil(firstEnd - steps));
    }

    boolean anyFinished() {
        return firstEnd <= steps;
    }

    boolean isFinished(int index) {
        return end[index] <= steps;
    }

    void removeFinished() {
        int first = 0;
        while (first < size && end[first] > steps) {
            first++;
        }
        int kept = first;
        for (int i = first; i < size; i++) {
            if (end[i] > steps) {
                requests[kept] = requests[i];
                context[kept] = context[i];
                end[kept] = end[i];
                awaited[kept] = awaited[i];
                kept++;
            } else {
                takeOut(i);
            }
        }
        size = kept;
        findFirstEnd();
    }

    private void takeOut(int index) {
        contextSum -= context[index];
        squareSum -= context[index] * context[index];
        endSum -= end[index];
    }

    private void findFirstEnd() {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < size; i++) {
            if (end[i] < least) {
                least = end[i];
            }
        }
        firstEnd = least;
        if (size == 0) {
            /* What rounding has left of the sums. */
            contextSum = squareSum = endSum = 0;
        }
    }

    void removeLast() {
        size--;
        awaitedCount -= awaited[size] ? 1 : 0;
        takeOut(size);
        if (end[size] <= firstEnd) {
            findFirstEnd();
        }
    }
}
