/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/** KV caches on their way to an engine of the decode role, in order. Not threadsafe. */
final class TwinTransfers {
    private final TwinRequests requests = new TwinRequests();
    private final double seconds;

    TwinTransfers(double seconds) {
        this.seconds = seconds;
    }

    /** The first of the queue has room and sets out. */
    void begin(TwinRequests waiting, double nowSeconds) {
        double context = waiting.doneTokens(0) + waiting.leftTokens(0);
        requests.add(waiting.request(0), context, 0, waiting.outputTokens(0));
        requests.setLastReady(nowSeconds + seconds);
        waiting.removeFirst();
    }

    /** Puts who has come into the batch, while it has fewer than so many. */
    void finish(TwinBatch batch, int maxSequences, double nowSeconds, TwinProbes probes) {
        while (batch.size() < maxSequences) {
            if (probes.isNextToJoin()) {
                probes.join();
                continue;
            }
            if (requests.isEmpty() || requests.firstReady() > nowSeconds) {
                return;
            }
            probes.joined();
            batch.add(requests.request(0), requests.doneTokens(0), requests.outputTokens(0));
            batch.awaitFirstToken();
            requests.removeFirst();
        }
    }

    void clear() {
        requests.clear();
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    int size() {
        return requests.size();
    }

    /** Tokens that room is kept for. */
    double kvTokens() {
        return requests.doneTokens();
    }

    /** When the first will be there; there must be one. */
    double firstReady() {
        return requests.firstReady();
    }
}
