/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import io.fpmplanner.sim.publish.QueuedRequests;
import io.fpmplanner.sim.workload.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The requests inside one engine: running, waiting, and waiting for a KV cache from elsewhere. Not threadsafe. */
final class EngineQueues {
    private final EngineSettings settings;
    final KvCache kv;

    /** In order of admission; the last is the first to be preempted. */
    final List<Sequence> running = new ArrayList<>();

    private final Deque<Sequence> waiting = new ArrayDeque<>();
    private final Deque<Sequence> withoutBlocks = new ArrayDeque<>();
    private final Deque<Sequence> transferring = new ArrayDeque<>();

    private final LengthMoments waitingPrompts = new LengthMoments();
    private final LengthMoments waitingContexts = new LengthMoments();
    private int preemptedWaiting;
    private long preemptions;

    EngineQueues(EngineSettings settings) {
        this.settings = settings;
        this.kv = new KvCache(settings.kvCapacityTokens(), settings.kvBlockTokens());
    }

    int waitingCount() {
        return waiting.size() + withoutBlocks.size() + transferring.size();
    }

    boolean isEmpty() {
        return running.isEmpty() && waitingCount() == 0;
    }

    List<Request> requests() {
        return Stream.of(running, waiting, transferring, withoutBlocks)
                .flatMap(Collection::stream)
                .map(sequence -> sequence.request)
                .toList();
    }

    long preemptions() {
        return preemptions;
    }

    void enqueue(Sequence sequence) {
        waiting.addLast(sequence);
        waitingPrompts.add(sequence.request.inputTokens());
    }

    void enqueueTransfer(Sequence sequence) {
        withoutBlocks.addLast(sequence);
        waitingContexts.add(sequence.computedTokens);
    }

    @Nullable
    Sequence firstWaiting() {
        return waiting.peekFirst();
    }

    /** Moves the first waiting request to the running ones. */
    Sequence admitFirst() {
        Sequence sequence = waiting.removeFirst();
        if (sequence.preempted) {
            sequence.preempted = false;
            preemptedWaiting--;
            waitingContexts.remove(preemptedContext(sequence));
        } else {
            waitingPrompts.remove(sequence.request.inputTokens());
        }
        running.add(sequence);
        return sequence;
    }

    /** Takes the KV cache from the youngest running request, which then waits before all others. */
    Sequence preemptYoungest() {
        Sequence victim = running.remove(running.size() - 1);
        kv.release(victim);
        victim.preempt();
        waiting.addFirst(victim);
        waitingContexts.add(preemptedContext(victim));
        preemptedWaiting++;
        preemptions++;
        return victim;
    }

    /** Gives blocks to requests whose KV cache comes from elsewhere, and starts those whose cache has come. */
    void receiveTransfers(long nowNanos) {
        // Preempted requests go first, else newcomers could starve them of blocks for ever.
        while (preemptedWaiting == 0 && !withoutBlocks.isEmpty()) {
            Sequence first = withoutBlocks.getFirst();
            if (!kv.reserve(first, first.computedTokens)) {
                break;
            }
            withoutBlocks.removeFirst();
            first.transferDoneNanos = nowNanos + settings.kvTransferNanos();
            transferring.addLast(first);
        }
        while (!transferring.isEmpty()
                && running.size() < settings.maxSequences()
                && transferring.getFirst().transferDoneNanos <= nowNanos) {
            Sequence first = transferring.removeFirst();
            waitingContexts.remove(first.computedTokens);
            running.add(first);
        }
    }

    /** When the next KV cache will have come; {@link Long#MAX_VALUE} if none is under way. */
    long nextTransferNanos() {
        return transferring.isEmpty() ? Long.MAX_VALUE : transferring.getFirst().transferDoneNanos;
    }

    QueuedRequests report() {
        if (waitingPrompts.count() == 0 && waitingContexts.count() == 0) {
            return QueuedRequests.NONE;
        }
        return new QueuedRequests(
                waitingPrompts.count(),
                waitingPrompts.sum(),
                waitingPrompts.populationVariance(),
                waitingContexts.count(),
                waitingContexts.sum(),
                waitingContexts.populationVariance());
    }

    /** vLLM zeroes num_computed_tokens on preemption; SGLang reports the sequence length of a retracted request. */
    private int preemptedContext(Sequence sequence) {
        return settings.order() == BatchingOrder.DECODE_FIRST ? 0 : sequence.prefillTarget;
    }
}
