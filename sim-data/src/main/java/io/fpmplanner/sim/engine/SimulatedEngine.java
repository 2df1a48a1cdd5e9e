/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import io.fpmplanner.sim.workload.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One engine with continuous batching, in virtual time: one rank, or several data-parallel ones in lock-step.
 *
 * <p>It owns no clock: {@link #advanceTo} moves it, and it reports each step that ended on the way. A step's composition is
 * fixed when it starts, its tokens are there when it ends, and the next one starts at once if anything can run. The slowest
 * rank sets the time of a step for all; a rank with nothing to compute waits and reports nothing. Times given must never go
 * back. Not threadsafe.
 *
 * <p>Equal settings, laws, seeds and calls give equal results.
 */
public final class SimulatedEngine {
    private final String workerId;
    private final EngineSettings settings;
    private final StepTimeLaw law;
    private final List<EngineRank> ranks = new ArrayList<>();
    private long nowNanos;
    private long stepStartNanos;
    private long stepEndNanos;
    private boolean stepping;
    private long stalledUntilNanos = Long.MIN_VALUE;
    private long steps;

    /**
     * An engine without requests.
     *
     * @param identity of its first rank; the others count on from there
     * @param startNanos the time at which it becomes ready, on the simulation's clock
     */
    public SimulatedEngine(
            RankIdentity identity, EngineSettings settings, StepTimeLaw law, EngineListener listener, long startNanos) {
        this.workerId = identity.workerId();
        this.settings = settings;
        this.law = law;
        this.nowNanos = startNanos;
        for (int i = 0; i < settings.ranks(); i++) {
            ranks.add(new EngineRank(new RankIdentity(workerId, identity.dpRank() + i), settings, listener));
        }
    }

    /**
     * Takes a request for prefill, on the rank that is loaded least.
     *
     * @param atNanos the time of arrival at this engine; it is advanced to that time first
     * @return null if accepted, else why not
     * @throws IllegalStateException on a decode-only engine
     */
    public @Nullable Refusal submit(Request request, long atNanos) {
        return submit(request, leastLoadedRank(), atNanos);
    }

    /** As {@link #submit(Request, long)}, on the {@code rank}-th of its ranks. */
    public @Nullable Refusal submit(Request request, int rank, long atNanos) {
        if (settings.kind() == EngineKind.DECODE_ONLY) {
            throw new IllegalStateException("a decode-only engine takes requests with their KV cache only");
        }
        return accept(new Sequence(request), ranks.get(rank), atNanos);
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
        return accept(Sequence.prefilled(request, firstTokenNanos), ranks.get(leastLoadedRank()), atNanos);
    }

    private @Nullable Refusal accept(Sequence sequence, EngineRank rank, long atNanos) {
        advanceTo(atNanos);
        Refusal refusal = refusal(sequence.request, rank);
        if (refusal != null) {
            return refusal;
        }
        if (settings.kind() == EngineKind.DECODE_ONLY) {
            rank.queues.enqueueTransfer(sequence);
        } else {
            rank.queues.enqueue(sequence);
        }
        if (!stepping) {
            startStep();
        }
        return null;
    }

    private @Nullable Refusal refusal(Request request, EngineRank rank) {
        long tokens = (long) request.inputTokens() + request.outputTokens();
        if (tokens > settings.maxContextTokens()) {
            return Refusal.CONTEXT_TOO_LONG;
        }
        if (!rank.queues.kv.couldHold(tokens + settings.speculation().draftTokens())) {
            return Refusal.KV_TOO_SMALL;
        }
        return rank.queues.waitingCount() >= settings.maxQueuedRequests() ? Refusal.QUEUE_FULL : null;
    }

    /** vLLM's internal load balancer counts a waiting request four times (DPLBAsyncMPClient in v1/engine/core_client.py). */
    private int leastLoadedRank() {
        int best = 0;
        long lowest = Long.MAX_VALUE;
        for (int i = 0; i < ranks.size(); i++) {
            EngineQueues queues = ranks.get(i).queues;
            long load = 4L * queues.waitingCount() + queues.running.size();
            if (load < lowest) {
                lowest = load;
                best = i;
            }
        }
        return best;
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

    /** When the engine next does something by itself; {@link Long#MAX_VALUE} when it is idle. */
    public long nextEventNanos() {
        if (stepping) {
            return stepEndNanos;
        }
        long next = Long.MAX_VALUE;
        for (int i = 0; i < ranks.size(); i++) {
            next = Math.min(next, ranks.get(i).queues.nextTransferNanos());
        }
        return Math.max(nowNanos, next);
    }

    /** True when no request is inside. */
    public boolean isIdle() {
        for (int i = 0; i < ranks.size(); i++) {
            if (!ranks.get(i).queues.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Data-parallel ranks; &ge; 1. */
    public int ranks() {
        return ranks.size();
    }

    /** The requests inside: of each rank running ones first, in order of admission, then waiting ones. */
    public List<Request> requests() {
        return ranks.stream().flatMap(rank -> rank.queues.requests().stream()).toList();
    }

    /** Requests inside, running or waiting. */
    public int requestsInside() {
        int inside = 0;
        for (int i = 0; i < ranks.size(); i++) {
            inside += ranks.get(i).requestsInside();
        }
        return inside;
    }

    public int runningRequests() {
        return ranks.stream().mapToInt(rank -> rank.queues.running.size()).sum();
    }

    public int waitingRequests() {
        return ranks.stream().mapToInt(rank -> rank.queues.waitingCount()).sum();
    }

    /** Tokens' worth of KV blocks in use, all ranks together; cached blocks that nobody uses do not count. */
    public int kvUsedTokens() {
        return ranks.stream().mapToInt(rank -> rank.queues.kv.usedTokens()).sum();
    }

    /**
     * What a request would cost the {@code rank}-th rank in the terms of Dynamo's KV router: prompt tokens still to be computed
     * there, its own included, plus tokens of KV in use.
     */
    public long routingCostTokens(Request request, int rank) {
        EngineQueues queues = ranks.get(rank).queues;
        int own = request.inputTokens() - queues.kv.cachedTokens(request);
        return own + queues.waitingPromptTokens() + queues.kv.usedTokens();
    }

    /** Steps that ended so far. */
    public long steps() {
        return steps;
    }

    /** How often a request lost its KV cache to another. */
    public long preemptions() {
        return ranks.stream().mapToLong(rank -> rank.queues.preemptions()).sum();
    }

    private void startStep() {
        double slowest = 0;
        stepping = false;
        for (int i = 0; i < ranks.size(); i++) {
            EngineRank rank = ranks.get(i);
            if (rank.compose(nowNanos)) {
                stepping = true;
                slowest = Math.max(slowest, seconds(rank.batch));
            }
        }
        if (stepping) {
            stepStartNanos = nowNanos;
            stepEndNanos = later(Math.max(nowNanos, stalledUntilNanos), Math.max(1, Math.round(slowest * 1e9)));
        }
    }

    private double seconds(StepBatch batch) {
        double seconds = law.seconds(batch);
        if (!(seconds > 0) || Double.isInfinite(seconds)) {
            throw new IllegalStateException("step time must be positive and finite, was " + seconds);
        }
        return batch.decodeRequests() == 0
                ? seconds
                : seconds + settings.speculation().draftSeconds();
    }

    private static long later(long nanos, long byNanos) {
        return nanos > Long.MAX_VALUE - byNanos ? Long.MAX_VALUE : nanos + byNanos;
    }

    private void finishStep() {
        stepping = false;
        steps++;
        double seconds = (stepEndNanos - stepStartNanos) * 1e-9;
        for (int i = 0; i < ranks.size(); i++) {
            ranks.get(i).finish(nowNanos, seconds);
        }
    }
}
