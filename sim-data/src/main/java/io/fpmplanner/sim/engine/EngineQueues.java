/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import io.fpmplanner.sim.publish.QueuedRequests;
import io.fpmplanner.sim.workload.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The requests inside one rank: running, waiting, and waiting for a KV cache from elsewhere. Not threadsafe. */
final class EngineQueues {
    private final EngineSettings settings;
    final KvCache kv;

    /** In order of admission; the last is the first to be preempted. */
    final List<Sequence> running = new ArrayList<>();

    private final Deque<Sequence> waiting = new ArrayDeque<>();
    private final Deque<Sequence> withoutBlocks = new ArrayDeque<>();
    private final Queue<Sequence> transferring =
            new PriorityQueue<>(Comparator.<Sequence>comparingLong(sequence -> sequence.transferDoneNanos)
                    .thenComparingLong(sequence -> sequence.transferOrder));

    private final LengthMoments waitingPrompts = new LengthMoments();
    private final LengthMoments transferContexts = new LengthMoments();
    private final LengthMoments preemptedContexts = new LengthMoments();
    private long transfers;
    private long preemptions;

    EngineQueues(EngineSettings settings) {
        this.settings = settings;
        boolean caching = settings.prefixCaching() && settings.kind() != EngineKind.DECODE_ONLY;
        this.kv = new KvCache(settings.kvCapacityTokens(), settings.kvBlockTokens(), caching);
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

    /** Prompt tokens of the requests that have not started. */
    long waitingPromptTokens() {
        return waitingPrompts.sum();
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
        transferContexts.add(sequence.computedTokens);
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
            sequence.resumed = true;
            preemptedContexts.remove(preemptedContext(sequence));
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
        preemptedContexts.add(preemptedContext(victim));
        preemptions++;
        return victim;
    }

    /** Gives blocks to requests whose KV cache comes from elsewhere, and starts those whose cache has come. */
    void receiveTransfers(long nowNanos) {
        // Preempted requests go first, else newcomers could starve them of blocks for ever.
        while (preemptedContexts.count() == 0 && !withoutBlocks.isEmpty()) {
            Sequence first = withoutBlocks.getFirst();
            if (!kv.reserve(first, first.computedTokens)) {
                break;
            }
            withoutBlocks.removeFirst();
            first.transferDoneNanos = nowNanos + settings.transfer().nanos(first.computedTokens);
            first.transferOrder = transfers++;
            transferring.add(first);
        }
        for (Sequence first = transferring.peek();
                first != null && running.size() < settings.maxSequences() && first.transferDoneNanos <= nowNanos;
                first = transferring.peek()) {
            transferring.remove();
            transferContexts.remove(first.computedTokens);
            running.add(first);
        }
    }

    /** When the next KV cache will have come; {@link Long#MAX_VALUE} if none is under way. */
    long nextTransferNanos() {
        Sequence first = transferring.peek();
        return first == null ? Long.MAX_VALUE : first.transferDoneNanos;
    }

    QueuedRequests report() {
        boolean blind = settings.queueReport() == QueueReport.BLIND;
        boolean vllm = settings.order() == BatchingOrder.DECODE_FIRST;
        boolean promptsCounted = !blind || vllm || settings.kind() != EngineKind.PREFILL_ONLY;
        boolean transfersCounted = !blind || !vllm;
        boolean preemptedCounted = !blind || vllm || settings.kind() != EngineKind.DECODE_ONLY;
        long prompts = promptsCounted ? waitingPrompts.count() : 0;
        LengthMoments contexts = transfersCounted
                ? (preemptedCounted ? transferContexts.plus(preemptedContexts) : transferContexts)
                : preemptedContexts;
        if (prompts == 0 && contexts.count() == 0) {
            return QueuedRequests.NONE;
        }
        return new QueuedRequests(
                prompts,
                promptsCounted ? waitingPrompts.sum() : 0,
                promptsCounted ? waitingPrompts.populationVariance() : 0,
                contexts.count(),
                contexts.sum(),
                contexts.populationVariance());
    }

    /** vLLM zeroes num_computed_tokens on preemption; SGLang reports the sequence length of a retracted request. */
    private int preemptedContext(Sequence sequence) {
        return settings.order() == BatchingOrder.DECODE_FIRST ? 0 : sequence.prefillTarget;
    }
}
