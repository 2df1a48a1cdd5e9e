/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import java.util.Arrays;

/** Requests that lost their place in the KV cache, and how much of theirs is still there when they come back. Not threadsafe. */
final class TwinPreempted {
    /*
     * Engines with a prefix cache, as vLLM and SGLang are by default, leave blocks that nobody holds where they are until their
     * place is needed, and those unheld for longest go first (vllm/v1/core/block_pool.py). So of a request that was preempted
     * is left what fits into the free part beside what was let go since. They wait before all others, the last one first.
     */
    private double[] releasedBefore = new double[16];
    private int size;

    void clear() {
        size = 0;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** One goes to the head of the queue; so many tokens have been let go until then by all, its own included. */
    void push(double releasedTokens) {
        if (size == releasedBefore.length) {
            releasedBefore = Arrays.copyOf(releasedBefore, 2 * size);
        }
        releasedBefore[size++] = releasedTokens;
    }

    /** The one at the head of the queue is let in again. */
    void pop() {
        size--;
    }

    /**
     * Notes what is left of the one at the head of the queue.
     *
     * @param freeTokens tokens that nobody holds
     * @param releasedTokens let go so far by all
     */
    void find(TwinRequests waiting, double freeTokens, double releasedTokens) {
        double context = waiting.doneTokens(0) + waiting.leftTokens(0);
        double later = releasedTokens - releasedBefore[size - 1];
        double left = Math.max(0, Math.min(context - 1, Math.floor(freeTokens - later)));
        waiting.setLeft(0, context - left);
    }
}
