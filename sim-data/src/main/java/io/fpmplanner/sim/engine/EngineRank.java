/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.ScheduledRequests;
import io.fpmplanner.sim.workload.RandomVariates;

/** One data-parallel rank: its queues, the step it is in, and the record of it. It knows no time of its own. Not threadsafe. */
final class EngineRank {
    private final RankIdentity identity;
    private final EngineSettings settings;
    private final EngineListener listener;
    private final Scheduler scheduler;
    private final RandomVariates acceptances;
    private final LengthMoments promptLengths = new LengthMoments();
    final EngineQueues queues;
    final StepBatch batch;
    private long steps;

    EngineRank(RankIdentity identity, EngineSettings settings, EngineListener listener) {
        this.identity = identity;
        this.settings = settings;
        this.listener = listener;
        this.queues = new EngineQueues(settings);
        this.batch = new StepBatch(settings.maxSequences());
        this.scheduler = settings.order() == BatchingOrder.DECODE_FIRST
                ? new DecodeFirstScheduler(settings)
                : new PrefillFirstScheduler(settings);
        this.acceptances = new RandomVariates(31L * identity.workerId().hashCode() + identity.dpRank());
    }

    /** Composes the next step; false when there is nothing to compute. */
    boolean compose(long nowNanos) {
        queues.receiveTransfers(nowNanos);
        batch.clear();
        scheduler.compose(queues, batch);
        if (batch.isEmpty() && !queues.isEmpty() && queues.nextTransferNanos() == Long.MAX_VALUE) {
            // Every accepted request fits alone, so a rank that can run nothing must be empty or await a KV cache.
            throw new IllegalStateException(identity + " can run none of its " + requestsInside() + " requests");
        }
        return !batch.isEmpty();
    }

    /** Ends the step that was composed, if any: its tokens are there now. */
    void finish(long nowNanos, double wallTimeSeconds) {
        if (batch.isEmpty()) {
            return;
        }
        ScheduledRequests scheduled = describe();
        boolean anyLeaves = false;
        for (int i = 0; i < batch.size(); i++) {
            anyLeaves |= advance(batch.sequence(i), batch.tokens(i), nowNanos);
        }
        if (anyLeaves) {
            queues.running.removeIf(this::leaves);
        }
        listener.onStep(
                new ForwardPassMetrics(
                        identity.workerId(),
                        identity.dpRank(),
                        steps++,
                        null,
                        wallTimeSeconds,
                        scheduled,
                        queues.report()),
                nowNanos);
    }

    int requestsInside() {
        return queues.running.size() + queues.waitingCount();
    }

    private boolean advance(Sequence sequence, int tokens, long nowNanos) {
        if (sequence.isPrefilling()) {
            boolean first = sequence.generatedTokens == 0;
            boolean sampled = sequence.prefilled(tokens, nowNanos);
            queues.kv.publishPrefix(sequence);
            return sampled && (first || sequence.isFinished()) && announce(sequence, first, nowNanos);
        }
        sequence.decoded(tokens == 1 ? 1 : 1 + accepted(Math.min(tokens, sequence.remainingOutputTokens()) - 1));
        return sequence.isFinished() && announce(sequence, false, nowNanos);
    }

    /** How many of the drafts are right from the first on. */
    private int accepted(int drafts) {
        int accepted = 0;
        while (accepted < drafts
                && acceptances.uniform() < settings.speculation().acceptance()) {
            accepted++;
        }
        return accepted;
    }

    private boolean announce(Sequence sequence, boolean first, long nowNanos) {
        if (first) {
            listener.onFirstToken(sequence.request, nowNanos);
        }
        if (sequence.isFinished()) {
            listener.onFinished(new RequestLog(sequence.request, sequence.firstTokenNanos, nowNanos));
        }
        boolean leaves = leaves(sequence);
        if (leaves) {
            queues.kv.release(sequence);
        }
        return leaves;
    }

    private boolean leaves(Sequence sequence) {
        return sequence.isFinished() || (settings.kind() == EngineKind.PREFILL_ONLY && sequence.generatedTokens > 0);
    }

    private ScheduledRequests describe() {
        // SGLang counts the token being processed as context, vLLM does not.
        int current = settings.order() == BatchingOrder.PREFILL_FIRST ? 1 : 0;
        return new ScheduledRequests(
                batch.prefillRequests(),
                batch.prefillTokens(),
                batch.prefillRequests() < 2 ? 0 : promptLengthVariance(),
                batch.prefillContextTokens(),
                batch.decodeRequests(),
                batch.decodeContextTokens() + (long) current * batch.decodeRequests(),
                batch.decodeContextVariance());
    }

    /** vLLM knows no prompt length of a resumed request and counts 0. */
    private double promptLengthVariance() {
        promptLengths.clear();
        boolean vllm = settings.order() == BatchingOrder.DECODE_FIRST;
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isPrefill(i)) {
                Sequence sequence = batch.sequence(i);
                promptLengths.add(vllm && sequence.resumed ? 0 : sequence.request.inputTokens());
            }
        }
        return promptLengths.populationVariance();
    }
}
