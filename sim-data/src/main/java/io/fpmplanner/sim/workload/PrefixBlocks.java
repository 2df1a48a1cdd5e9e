/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

import java.util.Arrays;

/**
 * The leading blocks of a prompt by hash: prompts whose first hashes agree share that many blocks of their prefix.
 * Immutable, threadsafe.
 */
public final class PrefixBlocks {
    /** A prompt that shares nothing. */
    public static final PrefixBlocks NONE = new PrefixBlocks(1, new long[0]);

    private final int blockTokens;
    private final long[] hashes;

    private PrefixBlocks(int blockTokens, long[] hashes) {
        this.blockTokens = blockTokens;
        this.hashes = hashes;
    }

    /**
     * Blocks of one size.
     *
     * @param blockTokens tokens of a block (Mooncake's traces 512, vLLM 16); &ge; 1
     * @param hashes one per block from the start of the prompt; a hash stands for the block and all before it. A last block
     *     that the prompt fills only in part may have one too
     */
    public static PrefixBlocks of(int blockTokens, long... hashes) {
        if (blockTokens < 1) {
            throw new IllegalArgumentException("blockTokens must be at least 1, was " + blockTokens);
        }
        return hashes.length == 0 ? NONE : new PrefixBlocks(blockTokens, hashes.clone());
    }

    /** Tokens of one block. */
    public int blockTokens() {
        return blockTokens;
    }

    /** Number of hashed blocks. */
    public int size() {
        return hashes.length;
    }

    /** Hash of the {@code index}-th block. */
    public long hash(int index) {
        return hashes[index];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PrefixBlocks that
                && blockTokens == that.blockTokens
                && Arrays.equals(hashes, that.hashes);
    }

    @Override
    public int hashCode() {
        return 31 * blockTokens + Arrays.hashCode(hashes);
    }

    @Override
    public String toString() {
        return hashes.length + " blocks of " + blockTokens + " tokens";
    }
}
