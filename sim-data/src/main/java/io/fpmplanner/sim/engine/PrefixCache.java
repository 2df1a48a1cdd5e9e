/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import io.fpmplanner.sim.workload.PrefixBlocks;
import io.fpmplanner.sim.workload.Request;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks are still in the KV cache after their sequence has gone, who holds them, and in which order the unheld ones would
 * go. Not threadsafe.
 *
 * <p>It counts in hashed blocks, the KV cache in its own; of those one hashed block has {@code blockTokens / kvBlockTokens}.
 */
final class PrefixCache {
    /*
     * vllm/v1/core/block_pool.py and SGLang's radix cache: a block stays until its place is needed, the one unheld for longest
     * goes first, and of one sequence the end of its prefix goes before its beginning. A block that somebody else has
     * computed meanwhile is taken over and the own copy given back, as SGLang does. Blocks without a hash of their own, of the
     * rest of the prompt and of the output, wait in the same line: nobody else can use them, but a preempted sequence finds
     * those of its own that are left when it is let in again.
     */
    private static class Unheld {
        int kvBlocks;

        @Nullable
        Unheld older;

        @Nullable
        Unheld newer;

        Unheld(int kvBlocks) {
            this.kvBlocks = kvBlocks;
        }
    }

    private static final class Block extends Unheld {
        final long hash;
        int holders;

        Block(long hash, int kvBlocks) {
            super(kvBlocks);
            this.hash = hash;
        }
    }

    /** What is left of the blocks of a sequence that has gone, from their beginning. */
    static final class Residue extends Unheld {
        private Residue(int kvBlocks) {
            super(kvBlocks);
        }

        int kvBlocks() {
            return kvBlocks;
        }
    }

    private final int kvBlockTokens;
    private final Map<Long, Block> blocks = new HashMap<>();
    private @Nullable Unheld oldestUnheld;
    private @Nullable Unheld newestUnheld;
    private int unheldKvBlocks;

    PrefixCache(int kvBlockTokens) {
        this.kvBlockTokens = kvBlockTokens;
    }

    /** KV blocks that nobody holds and that could be given to others. */
    int unheldKvBlocks() {
        return unheldKvBlocks;
    }

    /** Hashed blocks of a prompt that could ever be found: full ones, and never the whole prompt. */
    int usableBlocks(Request request) {
        PrefixBlocks prefix = request.prefix();
        if (prefix.size() == 0 || prefix.blockTokens() % kvBlockTokens != 0) {
            return 0;
        }
        return Math.min(prefix.size(), (request.inputTokens() - 1) / prefix.blockTokens());
    }

    /** Leading hashed blocks that are here. */
    int match(Request request) {
        int usable = usableBlocks(request);
        int matched = 0;
        while (matched < usable && blocks.containsKey(request.prefix().hash(matched))) {
            matched++;
        }
        return matched;
    }

    /** KV blocks among the first {@code count} hashed blocks that nobody holds; all must be here. */
    int unheldAmong(Request request, int count) {
        int unheld = 0;
        for (int i = 0; i < count; i++) {
            Block block = block(request, i);
            unheld += block.holders == 0 ? block.kvBlocks : 0;
        }
        return unheld;
    }

    int kvBlocksOf(Request request, int count) {
        return count * (request.prefix().blockTokens() / kvBlockTokens);
    }

    /** Holds the first {@code count} hashed blocks; all must be here. */
    void hold(Request request, int count) {
        for (int i = 0; i < count; i++) {
            hold(block(request, i));
        }
    }

    /**
     * Makes the {@code index}-th hashed block of a prompt, which was just computed, known and held.
     *
     * @return true if it was new, false if somebody else had computed it and the own copy is not needed
     */
    boolean add(Request request, int index) {
        long hash = request.prefix().hash(index);
        Block present = blocks.get(hash);
        if (present != null) {
            hold(present);
            return false;
        }
        Block block = new Block(hash, kvBlocksOf(request, 1));
        block.holders = 1;
        blocks.put(hash, block);
        return true;
    }

    /** Lets go of the first {@code count} hashed blocks. */
    void release(Request request, int count) {
        for (int i = count - 1; i >= 0; i--) {
            Block block = block(request, i);
            if (--block.holders == 0) {
                appendUnheld(block);
            }
        }
    }

    /** Leaves the blocks of a sequence behind that have no hash; at least one. */
    Residue leave(int kvBlocks) {
        Residue residue = new Residue(kvBlocks);
        appendUnheld(residue);
        return residue;
    }

    /** Takes the first {@code kvBlocks} of what is left; the rest is of no use to anybody. */
    void takeBack(Residue residue, int kvBlocks) {
        unheldKvBlocks -= kvBlocks;
        residue.kvBlocks -= kvBlocks;
        if (residue.kvBlocks == 0) {
            unlink(residue);
        }
    }

    /** Forgets what has been unheld for longest and returns its KV blocks, of a residue at most as many as wanted. */
    int evict(int wanted) {
        Unheld oldest = oldestUnheld;
        if (oldest == null) {
            throw new IllegalStateException("no cached block is without a holder");
        }
        if (oldest instanceof Residue residue) {
            int taken = Math.min(wanted, residue.kvBlocks);
            takeBack(residue, taken);
            return taken;
        }
        unlink(oldest);
        blocks.remove(((Block) oldest).hash);
        return oldest.kvBlocks;
    }

    private Block block(Request request, int index) {
        Block block = blocks.get(request.prefix().hash(index));
        if (block == null) {
            throw new IllegalStateException("block " + index + " of request " + request.id() + " is not in the cache");
        }
        return block;
    }

    private void hold(Block block) {
        if (block.holders++ == 0) {
            unlink(block);
        }
    }

    private void appendUnheld(Unheld block) {
        block.older = newestUnheld;
        if (newestUnheld == null) {
            oldestUnheld = block;
        } else {
            newestUnheld.newer = block;
        }
        newestUnheld = block;
        unheldKvBlocks += block.kvBlocks;
    }

    private void unlink(Unheld block) {
        if (block.older == null) {
            oldestUnheld = block.newer;
        } else {
            block.older.newer = block.newer;
        }
        if (block.newer == null) {
            newestUnheld = block.older;
        } else {
            block.newer.older = block.older;
        }
        block.older = null;
        block.newer = null;
        unheldKvBlocks -= block.kvBlocks;
    }
}
