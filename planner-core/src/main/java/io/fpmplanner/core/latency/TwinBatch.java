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
    private double releasedSum;
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

    /** Makes room for so many requests. */
    void reserve(int count) {
        if (count > requests.length) {
            grow(count);
        }
    }

    /** Becomes the same as another. */
    void set(TwinBatch other) {
        int count = other.size;
        reserve(count);
        System.arraycopy(other.requests, 0, requests, 0, count);
        System.arraycopy(other.context, 0, context, 0, count);
        System.arraycopy(other.end, 0, end, 0, count);
        System.arraycopy(other.awaited, 0, awaited, 0, count);
        size = count;
        steps = other.steps;
        contextSum = other.contextSum;
        squareSum = other.squareSum;
        endSum = other.endSum;
        firstEnd = other.firstEnd;
        awaitedCount = other.awaitedCount;
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

    /** Context lengths, tokens, of all who have left so far, summed. */
    double releasedTokens() {
        return releasedSum;
    }

    /** Somebody who was not here lets go of so many tokens. */
    void release(double tokens) {
        releasedSum += tokens;
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

    /** Tells of those who have all their tokens, and removes them. */
    void removeFinished(TwinListener listener, double atSeconds) {
        int kept = 0;
        int from = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < size; i++) {
            if (end[i] > steps) {
                least = end[i] < least ? end[i] : least;
                continue;
            }
            listener.onFinished(requests[i], atSeconds);
            takeOut(i);
            kept = move(from, i, kept);
            from = i + 1;
        }
        size = move(from, size, kept);
        endFirstAt(least);
    }

    /** Moves a range to the front; returns where it ends. */
    private int move(int from, int until, int to) {
        int count = until - from;
        if (from > to && count > 0) {
            System.arraycopy(requests, from, requests, to, count);
            System.arraycopy(context, from, context, to, count);
            System.arraycopy(end, from, end, to, count);
            System.arraycopy(awaited, from, awaited, to, count);
        }
        return to + count;
    }

    private void takeOut(int index) {
        releasedSum += context[index] + steps;
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
        endFirstAt(least);
    }

    private void endFirstAt(double least) {
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
