/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.ScheduledRequests;
import io.fpmplanner.sim.publish.Welford;
import io.fpmplanner.sim.workload.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One engine rank with continuous batching, in virtual time.
 *
 * <p>It owns no clock: {@link #advanceTo} moves it, and it reports each step that ended on the way. A step's composition is
 * fixed when it starts, its tokens are there when it ends, and the next one starts at once if anything can run. Times
 * given must never go back. Not threadsafe.
 *
 * <p>Equal settings, laws, seeds and calls give equal results.
 */
public final class SimulatedEngine {
    private final String workerId;
    private final int dpRank;
    private final EngineSettings settings;
    private final StepTimeLaw law;
    private final EngineListener listener;
    private final Scheduler scheduler;
    private final EngineQueues queues;
    private final StepBatch batch;
    private final Welford promptLengths = new Welford();
    private final Welford contextLengths = new Welford();
    private long nowNanos;
    private long stepStartNanos;
    private long stepEndNanos;
    private boolean stepping;
    private long stalledUntilNanos = Long.MIN_VALUE;
    private long steps;

    /** @param startNanos the time at which it becomes ready, on the simulation's clock */
    public SimulatedEngine(
            RankIdentity identity, EngineSettings settings, StepTimeLaw law, EngineListener listener, long startNanos) {
        this.workerId = identity.workerId();
        this.dpRank = identity.dpRank();
        this.settings = settings;
        this.law = law;
        this.listener = listener;
        this.nowNanos = startNanos;
        this.queues = new EngineQueues(settings);
        this.batch = new StepBatch(settings.maxSequences());
        this.scheduler = settings.order() == BatchingOrder.DECODE_FIRST
                ? new DecodeFirstScheduler(settings)
                : new PrefillFirstScheduler(settings);
    }

    /**
     * Takes a request for prefill.
     *
     * @param atNanos the time of arrival at this engine; it is advanced to that time first
     * @return null if accepted, else why not
     * @throws IllegalStateException on a decode-only engine
     */
    public @Nullable Refusal submit(Request request, long atNanos) {
        if (settings.kind() == EngineKind.DECODE_ONLY) {
            throw new IllegalStateException("a decode-only engine takes requests with their KV cache only");
        }
        return accept(new Sequence(request), atNanos);
    }

    /**
     * Takes a request whose prompt and first token were computed by another engine. Its KV cache follows within the
     * transfer time, once blocks for it are free here.
     *
     * @param firstTokenNanos when the first token was there
     * @param atNanos the time of arrival at this engine; it is advanced to that time first
     * @return null if accepted, else why not
     * @throws IllegalStateException unless the engine is decode-only
     */
    public @Nullable Refusal submitPrefilled(Request request, long firstTokenNanos, long atNanos) {
        if (settings.kind() != EngineKind.DECODE_ONLY) {
            throw new IllegalStateException("only a decode-only engine takes requests with their KV cache");
        }
        if (request.outputTokens() < 2) {
            throw new IllegalArgumentException("a request of one output token is finished after prefill");
        }
        return accept(Sequence.prefilled(request, firstTokenNanos), atNanos);
    }

    private @Nullable Refusal accept(Sequence sequence, long atNanos) {
        advanceTo(atNanos);
        Refusal refusal = refusal(sequence.request);
        if (refusal != null) {
            return refusal;
        }
        if (settings.kind() == EngineKind.DECODE_ONLY) {
            queues.enqueueTransfer(sequence);
        } else {
            queues.enqueue(sequence);
        }
        if (!stepping) {
            startStep();
        }
        return null;
    }

    /** Whether the engine would take the request at all, now; null if so. */
    public @Nullable Refusal refusal(Request request) {
        long tokens = (long) request.inputTokens() + request.outputTokens();
        if (tokens > settings.maxContextTokens()) {
            return Refusal.CONTEXT_TOO_LONG;
        }
        if (!queues.kv.couldHold(tokens)) {
            return Refusal.KV_TOO_SMALL;
        }
        return queues.waitingCount() >= settings.maxQueuedRequests() ? Refusal.QUEUE_FULL : null;
    }

    /** Lets all pass that happens up to and including {@code untilNanos}. */
    public void advanceTo(long untilNanos) {
        if (untilNanos < nowNanos) {
            throw new IllegalArgumentException("time cannot go back from " + nowNanos + " to " + untilNanos);
        }
        for (long next = nextEventNanos(); next <= untilNanos && next != Long.MAX_VALUE; next = nextEventNanos()) {
            nowNanos = next;
            if (stepping) {
                finishStep();
            }
            startStep();
        }
        nowNanos = untilNanos;
    }

    /** Advances to the end of the next step; false, and nothing changed, when the engine has nothing to do. */
    public boolean step() {
        long stepsBefore = steps;
        while (steps == stepsBefore) {
            long next = nextEventNanos();
            if (next == Long.MAX_VALUE) {
                return false;
            }
            advanceTo(next);
        }
        return true;
    }

    /** Lets the current step, or else the next one, hang: it does not end before that time, or never if that is the highest. */
    public void stallUntil(long untilNanos) {
        stalledUntilNanos = Math.max(stalledUntilNanos, untilNanos);
        if (stepping) {
            stepEndNanos = Math.max(stepEndNanos, stalledUntilNanos);
        }
    }

    private static long later(long nanos, long byNanos) {
        return nanos > Long.MAX_VALUE - byNanos ? Long.MAX_VALUE : nanos + byNanos;
    }

    /** When the engine next does something by itself; {@link Long#MAX_VALUE} when it is idle. */
    public long nextEventNanos() {
        return stepping ? stepEndNanos : Math.max(nowNanos, queues.nextTransferNanos());
    }

    /** True when no request is inside. */
    public boolean isIdle() {
        return queues.isEmpty();
    }

    /** Requests inside, running or waiting. */
    public int requestsInside() {
        return queues.running.size() + queues.waitingCount();
    }

    /** The requests inside: running ones first, in order of admission, then waiting ones. */
    public List<Request> requests() {
        return queues.requests();
    }

    public int runningRequests() {
        return queues.running.size();
    }

    public int waitingRequests() {
        return queues.waitingCount();
    }

    /** Tokens' worth of KV blocks in use; at most the capacity. */
    public int kvUsedTokens() {
        return queues.kv.usedTokens();
    }

    /** Steps that ended so far. */
    public long steps() {
        return steps;
    }

    /** How often a request lost its KV cache to another. */
    public long preemptions() {
        return queues.preemptions();
    }

    private void startStep() {
        queues.receiveTransfers(nowNanos);
        batch.clear();
        scheduler.compose(queues, batch);
        stepping = !batch.isEmpty();
        if (!stepping) {
            requireWayOut();
            return;
        }
        double seconds = law.seconds(batch);
        if (!(seconds > 0) || Double.isInfinite(seconds)) {
            throw new IllegalStateException("step time must be positive and finite, was " + seconds);
        }
        stepStartNanos = nowNanos;
        stepEndNanos = later(Math.max(nowNanos, stalledUntilNanos), Math.max(1, Math.round(seconds * 1e9)));
    }

    /** Every accepted request fits alone, so an engine that can run nothing must be empty or await a KV cache. */
    private void requireWayOut() {
        if (!queues.isEmpty() && queues.nextTransferNanos() == Long.MAX_VALUE) {
            throw new IllegalStateException(workerId + " can run none of its " + requestsInside() + " requests");
        }
    }

    private void finishStep() {
        ScheduledRequests scheduled = describe();
        boolean anyLeaves = false;
        for (int i = 0; i < batch.size(); i++) {
            Sequence sequence = batch.sequence(i);
            boolean first = sequence.generatedTokens == 0;
            if (sequence.advance(batch.tokens(i), nowNanos) && (first || sequence.isFinished())) {
                anyLeaves |= announce(sequence, first);
            }
        }
        if (anyLeaves) {
            queues.running.removeIf(this::leaves);
        }
        stepping = false;
        steps++;
        double seconds = (stepEndNanos - stepStartNanos) * 1e-9;
        listener.onStep(
                new ForwardPassMetrics(workerId, dpRank, steps - 1, null, seconds, scheduled, queues.report()),
                nowNanos);
    }

    private boolean announce(Sequence sequence, boolean first) {
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
        promptLengths.clear();
        contextLengths.clear();
        long prefillContext = 0;
        // SGLang counts the token being processed as context, vLLM does not.
        int current = settings.order() == BatchingOrder.PREFILL_FIRST ? 1 : 0;
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isPrefill(i)) {
                promptLengths.add(batch.sequence(i).request.inputTokens());
                prefillContext += batch.contextTokens(i);
            } else {
                contextLengths.add(batch.contextTokens(i) + current);
            }
        }
        return new ScheduledRequests(
                batch.prefillRequests(),
                batch.prefillTokens(),
                promptLengths.populationVariance(),
                prefillContext,
                batch.decodeRequests(),
                batch.decodeContextTokens() + (long) current * batch.decodeRequests(),
                contextLengths.populationVariance());
    }
}
