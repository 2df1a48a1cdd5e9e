/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/** The prompts of the step that runs, of which the last may be cut. Not threadsafe. */
final class TwinPrompts {
    private final TwinRequests requests = new TwinRequests();
    private double kvTokens;
    private double cutTokens;
    private double chunks;
    private double tokens;
    private double kvTokensBefore;
    private double lengths;
    private double squaredLengths;

    void clear() {
        requests.clear();
        kvTokens = 0;
        cutTokens = 0;
    }

    /** One that was begun earlier. */
    void begun(int request, double doneTokens, double leftTokens, double outputTokens) {
        requests.add(request, doneTokens, leftTokens, outputTokens);
        kvTokens += doneTokens;
        cutTokens = leftTokens;
    }

    /** Begins to compose a step, first with what a cut prompt still needs; returns the budget that is left. */
    double compose(double budget) {
        chunks = 0;
        tokens = 0;
        kvTokensBefore = 0;
        lengths = 0;
        squaredLengths = 0;
        cutTokens = requests.isEmpty() ? 0 : requests.leftTokens(0);
        if (requests.isEmpty() || budget <= 0) {
            return budget;
        }
        double taken = Math.min(budget, requests.leftTokens(0));
        add(requests.doneTokens(0), taken, requests.leftTokens(0));
        return budget - taken;
    }

    /** Takes the first of the queue into the step; returns the budget that is left. */
    double take(TwinRequests waiting, double budget) {
        double taken = Math.min(budget, waiting.leftTokens(0));
        kvTokens += waiting.doneTokens(0);
        add(waiting.doneTokens(0), taken, waiting.leftTokens(0));
        waiting.moveFirstTo(requests);
        return budget - taken;
    }

    private void add(double doneTokens, double taken, double leftTokens) {
        kvTokensBefore += doneTokens;
        tokens += taken;
        chunks++;
        double length = doneTokens + leftTokens;
        lengths += length;
        squaredLengths += length * length;
        cutTokens = leftTokens - taken;
    }

    /** The step is composed: its tokens have room in the cache. */
    void start() {
        kvTokens += tokens;
    }

    /** Whether a prompt is left that is cut. */
    boolean isLastCut() {
        return cutTokens > 0;
    }

    /** The first is done and goes. */
    void finishFirst() {
        kvTokens -= contextTokens(0);
        requests.removeFirst();
    }

    /** All that end with the step have gone. */
    void finishStep() {
        if (cutTokens > 0) {
            requests.setLeft(0, cutTokens);
        } else {
            kvTokens = 0;
        }
    }

    /** Tokens that the first still needs. */
    double leftTokens() {
        return requests.leftTokens(0);
    }

    double contextTokens(int index) {
        return requests.doneTokens(index) + requests.leftTokens(index);
    }

    int request(int index) {
        return requests.request(index);
    }

    double outputTokens(int index) {
        return requests.outputTokens(index);
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    int size() {
        return requests.size();
    }

    /** Tokens in the KV cache. */
    double kvTokens() {
        return kvTokens;
    }

    /** Prompts of which the step computes something. */
    double chunks() {
        return chunks;
    }

    /** Tokens that the step computes. */
    double tokens() {
        return tokens;
    }

    /** Population variance of the full lengths of those prompts. */
    double lengthVariance() {
        return variance(chunks, lengths, squaredLengths);
    }

    /** Population variance of so many numbers of that sum and that sum of squares. */
    static double variance(double count, double sum, double squares) {
        double mean = sum / count;
        return count > 1 ? Math.max(0, squares / count - mean * mean) : 0;
    }

    /** Full lengths of those prompts, summed. */
    double lengths() {
        return lengths;
    }

    /** Their squares, summed. */
    double squaredLengths() {
        return squaredLengths;
    }

    /** Tokens of those prompts that were in the cache before. */
    double kvTokensBefore() {
        return kvTokensBefore;
    }
}
