/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import io.fpmplanner.sim.workload.Request;

/**
 * Bookkeeping of KV blocks: free ones, those of a sequence alone, and those of cached prefixes. Not threadsafe.
 *
 * <p>Cached blocks that nobody holds count as free: they give way when their place is needed.
 */
final class KvCache {
    private final int blockTokens;
    private final int capacityBlocks;
    private final boolean caching;
    private final PrefixCache prefixes;
    private int freeBlocks;

    KvCache(int capacityTokens, int blockTokens, boolean caching) {
        this.blockTokens = blockTokens;
        this.capacityBlocks = capacityTokens / blockTokens;
        this.freeBlocks = capacityBlocks;
        this.caching = caching;
        this.prefixes = new PrefixCache(blockTokens);
    }

    /** Tokens of the prompt that need not be computed because their blocks are here. */
    int cachedTokens(Request request) {
        return caching ? prefixes.match(request) * request.prefix().blockTokens() : 0;
    }

    /** Makes room for {@code tokens} of a sequence in all; false, and nothing changed, when there is none. */
    boolean reserve(Sequence sequence, int tokens) {
        int missing = blocks(tokens) - sequence.kvBlocks - sequence.prefixKvBlocks;
        if (missing > freeBlocks) {
            if (missing > freeBlocks + prefixes.unheldKvBlocks()) {
                return false;
            }
            while (freeBlocks < missing) {
                freeBlocks += prefixes.evict(missing - freeBlocks);
            }
        }
        if (missing > 0) {
            freeBlocks -= missing;
            sequence.kvBlocks += missing;
        }
        return true;
    }

    /** The same of a sequence that waits; one that was preempted also finds what is left of its own. */
    int cachedTokens(Sequence sequence) {
        int cached = cachedTokens(sequence.request);
        return sequence.residue == null ? cached : cached + blockTokens * ownLeft(sequence, cached);
    }

    /** KV blocks of its own that a sequence finds again behind so many tokens of its prefix; full ones, never all it needs. */
    private int ownLeft(Sequence sequence, int prefixTokens) {
        PrefixCache.Residue residue = sequence.residue;
        if (residue == null || prefixTokens != sequence.residueAfterTokens) {
            return 0;
        }
        int useful = (sequence.prefillTarget - 1 - prefixTokens) / blockTokens;
        return Math.max(0, Math.min(useful, Math.min(sequence.residueFullBlocks, residue.kvBlocks())));
    }

    /**
     * Lets a sequence in that holds nothing yet: it takes what is cached for it and room up to {@code tokens}, and has the former
     * computed.
     *
     * @param cachedTokens what {@link #cachedTokens(Sequence)} said
     * @return false, and nothing changed, when there is no room
     */
    boolean admit(Sequence sequence, int cachedTokens, int tokens) {
        if (cachedTokens == 0) {
            return reserve(sequence, tokens);
        }
        Request request = sequence.request;
        int matched = prefixes.match(request);
        int own = ownLeft(sequence, matched * request.prefix().blockTokens());
        int missing = blocks(tokens) - prefixes.kvBlocksOf(request, matched) - own;
        if (missing > freeBlocks + prefixes.unheldKvBlocks() - prefixes.unheldAmong(request, matched) - own) {
            return false;
        }
        prefixes.hold(request, matched);
        sequence.prefixBlocks = matched;
        sequence.prefixKvBlocks = prefixes.kvBlocksOf(request, matched);
        PrefixCache.Residue residue = sequence.residue;
        if (residue != null && own > 0) {
            prefixes.takeBack(residue, own);
            sequence.kvBlocks = own;
        }
        sequence.residue = null;
        sequence.computedTokens = Math.max(sequence.computedTokens, cachedTokens);
        return reserve(sequence, tokens);
    }

    /** Makes the prompt blocks that a sequence has computed known to others. */
    void publishPrefix(Sequence sequence) {
        if (!caching) {
            return;
        }
        Request request = sequence.request;
        int usable = prefixes.usableBlocks(request);
        while (sequence.prefixBlocks < usable
                && (sequence.prefixBlocks + 1) * request.prefix().blockTokens() <= sequence.computedTokens) {
            int size = prefixes.kvBlocksOf(request, 1);
            sequence.kvBlocks -= size;
            sequence.prefixKvBlocks += size;
            if (!prefixes.add(request, sequence.prefixBlocks)) {
                freeBlocks += size;
            }
            sequence.prefixBlocks++;
        }
    }

    void release(Sequence sequence) {
        if (caching && sequence.kvBlocks > 0) {
            sequence.residue = prefixes.leave(sequence.kvBlocks);
            sequence.residueAfterTokens = sequence.prefixKvBlocks * blockTokens;
            // The last block may be filled in part only, or not at all yet.
            sequence.residueFullBlocks = Math.max(0, sequence.computedTokens / blockTokens - sequence.prefixKvBlocks);
        } else {
            freeBlocks += sequence.kvBlocks;
        }
        sequence.kvBlocks = 0;
        if (sequence.prefixBlocks > 0) {
            prefixes.release(sequence.request, sequence.prefixBlocks);
            sequence.prefixBlocks = 0;
            sequence.prefixKvBlocks = 0;
        }
    }

    /** True if this many tokens of one sequence fit in an empty cache. */
    boolean couldHold(long tokens) {
        return blocks(tokens) <= capacityBlocks;
    }

    int freeTokens() {
        return (freeBlocks + prefixes.unheldKvBlocks()) * blockTokens;
    }

    int usedTokens() {
        return (capacityBlocks - freeBlocks - prefixes.unheldKvBlocks()) * blockTokens;
    }

    int blocks(long tokens) {
        return (int) ((tokens + blockTokens - 1) / blockTokens);
    }
}
