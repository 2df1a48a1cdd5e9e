/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/** Bookkeeping of KV blocks. Not threadsafe. */
final class KvCache {
    private final int blockTokens;
    private final int capacityBlocks;
    private int freeBlocks;

    KvCache(int capacityTokens, int blockTokens) {
        this.blockTokens = blockTokens;
        this.capacityBlocks = capacityTokens / blockTokens;
        this.freeBlocks = capacityBlocks;
    }

    /** Makes room for {@code tokens} of a sequence in all; false, and nothing changed, when there is none. */
    boolean reserve(Sequence sequence, int tokens) {
        int missing = blocks(tokens) - sequence.kvBlocks;
        if (missing > freeBlocks) {
            return false;
        }
        if (missing > 0) {
            freeBlocks -= missing;
            sequence.kvBlocks += missing;
        }
        return true;
    }

    void release(Sequence sequence) {
        freeBlocks += sequence.kvBlocks;
        sequence.kvBlocks = 0;
    }

    /** True if this many tokens of one sequence fit in an empty cache. */
    boolean couldHold(long tokens) {
        return blocks(tokens) <= capacityBlocks;
    }

    int freeTokens() {
        return freeBlocks * blockTokens;
    }

    int usedTokens() {
        return (capacityBlocks - freeBlocks) * blockTokens;
    }

    int blocks(long tokens) {
        return (int) ((tokens + blockTokens - 1) / blockTokens);
    }
}
