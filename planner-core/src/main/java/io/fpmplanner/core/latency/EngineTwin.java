/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.models.StepRegime;

/**
 * One engine rank played forward by its own scheduling rule with learned step times. Time is seconds from any origin and
 * never goes back. Allocates only to grow. Not threadsafe.
 */
public final class EngineTwin {
    /*
     * A step's composition is fixed when it starts. Decode-only steps between which nobody joins or leaves are taken
     * together as a stretch, so the cost grows with requests, not with tokens. A stretch is cut at the end of the
     * step that runs when a request arrives.
     *
     * Rules: DECODE_FIRST as vLLM's V1 scheduler (running requests, then a cut prompt, then waiting ones, within the token
     * budget; without KV room the youngest is preempted and its tokens computed again); PREFILL_FIRST as SGLang (prompts
     * only while any can start, keeping a tenth of the answers' room free; decodes stand still meanwhile).
     * The decode role takes requests with their context: room in the KV cache, transfer, then a place in the batch.
     */
    private static final double RESERVED_OUTPUT_SHARE = 0.1;

    private final Role role;
    private final boolean decodeFirst;
    private final int budgetTokens;
    private final int maxSequences;
    private final double kvCapacity;
    private final StepSampler steps;
    private final TwinListener listener;
    private final TwinRequests waiting = new TwinRequests();
    private final TwinPrompts prompts = new TwinPrompts();
    private final TwinBatch batch = new TwinBatch();
    private final TwinStep step = new TwinStep();
    private final TwinWatch watch = new TwinWatch();
    private final TwinTransfers transfers;
    private final TwinTokenGaps gaps;
    private final TwinTotals totals;

    private double nowSeconds;
    private double decodeMeanSeconds;
    private boolean decodesInStep;
    private long preemptions;
    private long stepsStarted;
    private double speedFactor = 1;

    /** One whose totals are kept, with so long a way for KV caches. */
    public EngineTwin(
            Role role, EngineLimits limits, double transferSeconds, StepSampler steps, TwinListener listener) {
        this(role, limits, new TwinTransfers(transferSeconds), steps, listener, totalsOf(limits));
    }

    /** One without totals, to which KV caches come at once. */
    EngineTwin(Role role, EngineLimits limits, StepSampler steps, TwinListener listener) {
        this(role, limits, new TwinTransfers(0), steps, listener, TwinTotals.none());
    }

    private static TwinTotals totalsOf(EngineLimits limits) {
        return new TwinTotals(limits.maxBatchedTokens(), limits.maxSequences());
    }

    private EngineTwin(
            Role role,
            EngineLimits limits,
            TwinTransfers transfers,
            StepSampler steps,
            TwinListener listener,
            TwinTotals totals) {
        this.role = role;
        this.decodeFirst = role == Role.DECODE || limits.schedulingRule() == SchedulingRule.DECODE_FIRST;
        this.budgetTokens = limits.maxBatchedTokens();
        this.maxSequences = limits.maxSequences();
        this.kvCapacity = limits.kvCapacityTokens().isPresent()
                ? limits.kvCapacityTokens().getAsLong()
                : Double.POSITIVE_INFINITY;
        this.transfers = transfers;
        this.steps = steps;
        this.listener = listener;
        this.gaps = new TwinTokenGaps(listener, decodeFirst);
        this.totals = totals;
    }

    /** Empties the engine and sets its time. */
    public void reset(double atSeconds) {
        waiting.clear();
        transfers.clear();
        prompts.clear();
        batch.clear();
        step.clear();
        watch.clear();
        gaps.reset(atSeconds);
        nowSeconds = atSeconds;
        totals.reset();
    }

    /** From here on steps take this many times as long as a typical rank's. */
    public void at(double factor) {
        speedFactor = factor;
    }

    /** Takes note of when the request's own prefill begins, and beside what. */
    void watch(int request) {
        watch.watch(request);
    }

    TwinWatch watched() {
        return watch;
    }

    /** Who decodes. */
    TwinBatch batch() {
        return batch;
    }

    /** A request that runs already; only before the first step. */
    public void run(int request, double contextTokens, double tokensLeft) {
        batch.add(request, contextTokens, Math.max(1, tokensLeft));
    }

    /** The same of all of a batch. */
    void run(TwinBatch running) {
        batch.set(running);
    }

    /** A prompt of which the engine has begun to compute some; only before the first step, at most one. */
    public void cut(int request, double doneTokens, double leftTokens, double outputTokens) {
        prompts.begun(request, doneTokens, leftTokens, outputTokens);
    }

    /** A request that waits at the start; no step is begun. */
    public void queue(int request, double cachedTokens, double leftTokens, double outputTokens) {
        waiting.add(request, cachedTokens, leftTokens, outputTokens);
    }

    /** A request that arrives now; the engine has been advanced to this moment. In the decode role all is cached. */
    public void submit(int request, double cachedTokens, double leftTokens, double outputTokens) {
        waiting.add(request, cachedTokens, leftTokens, outputTokens);
        if (!step.isRunning()) {
            startStep();
        } else if (step.count() > 1 && canJoin()) {
            step.cutAt(nowSeconds);
        }
    }

    private boolean canJoin() {
        return batch.size() + prompts.size() < maxSequences;
    }

    /** Begins the next step unless one runs. */
    public void wake() {
        if (!step.isRunning()) {
            startStep();
        }
    }

    /** Requests inside, running or waiting. */
    public int inside() {
        return batch.size() + prompts.size() + waiting.size() + transfers.size();
    }

    /** Prompt tokens of waiting requests still to be computed; in the decode role the tokens they will generate. */
    double waitingTokens() {
        double tokens = 0;
        for (int i = 0; i < waiting.size(); i++) {
            tokens += role == Role.DECODE ? waiting.outputTokens(i) : waiting.leftTokens(i);
        }
        return tokens;
    }

    /** Requests that wait to be taken up. */
    int waiting() {
        return waiting.size();
    }

    /** When something next happens by itself; infinite when idle. */
    public double nextEventSeconds() {
        return step.isRunning() || transfers.isEmpty()
                ? step.endSeconds()
                : Math.max(nowSeconds, transfers.firstReady());
    }

    /** Where this engine is. */
    public double nowSeconds() {
        return nowSeconds;
    }

    /** What it did; to be begun anew at will. */
    public TwinTotals totals() {
        return totals;
    }

    /** Steps and stretches begun since the engine was made: what it has cost. */
    public long stepsStarted() {
        return stepsStarted;
    }

    /** Lets the step that runs end no sooner than that, for nothing was heard of its end: it began later. */
    void stillRunningAt(double seconds) {
        step.stillRunningAt(seconds);
    }

    /** Times a request lost its KV cache to others. */
    public long preemptions() {
        return preemptions;
    }

    /** Lets all pass that ends up to and including that time. */
    public void advanceTo(double untilSeconds) {
        for (double next = nextEventSeconds(); next <= untilSeconds; next = nextEventSeconds()) {
            passTo(next);
            if (step.isRunning()) {
                finishStep();
            }
            startStep();
        }
        passTo(untilSeconds);
    }

    private void passTo(double seconds) {
        double passed = seconds - nowSeconds;
        if (passed > 0) {
            totals.pass(passed, step.isRunning(), batch.size(), kvUsed(), waiting.size());
            nowSeconds = seconds;
        }
    }

    private double kvUsed() {
        return batch.contextTokens() + prompts.kvTokens() + transfers.kvTokens();
    }

    private void startStep() {
        step.clear();
        if (role == Role.DECODE) {
            receive();
        }
        boolean preempted = decodeFirst && makeRoomForDecodes();
        if (role != Role.DECODE) {
            composePrompts(preempted);
        }
        decodesInStep = !batch.isEmpty() && (decodeFirst || prompts.chunks() == 0);
        if (prompts.chunks() > 0) {
            beginPrefill();
        } else if (decodesInStep) {
            if (!decodeFirst) {
                makeRoomForDecodes();
            }
            beginDecodes();
        }
    }

    private void composePrompts(boolean preempted) {
        double left = prompts.compose(budgetTokens - (decodeFirst ? batch.size() : 0));
        while (!preempted && left > 0 && !waiting.isEmpty() && canJoin() && fits(left)) {
            if (watch.isWatched(waiting.request(0))) {
                watch.note(nowSeconds, prompts.chunks(), prompts.tokens(), prompts.kvTokensBefore());
                watch.noteBehind(waiting, budgetTokens);
            }
            left = prompts.take(waiting, left);
        }
        prompts.start();
    }

    private boolean fits(double left) {
        double free = kvCapacity - kvUsed() - prompts.tokens();
        if (batch.isEmpty() && prompts.isEmpty()) {
            return true;
        }
        if (decodeFirst) {
            return waiting.doneTokens(0) + Math.min(left, waiting.leftTokens(0)) <= free - batch.size();
        }
        double reserved = RESERVED_OUTPUT_SHARE * (batch.tokensLeft() + waiting.outputTokens(0));
        return waiting.doneTokens(0) + waiting.leftTokens(0) + reserved <= free;
    }

    private void beginPrefill() {
        steps.prefill(prompts.chunks(), prompts.tokens(), prompts.kvTokensBefore());
        double mean = decodesInStep
                ? steps.withPrefillSeconds(batch.size(), batch.contextTokens(), batch.variance())
                : steps.withPrefillSeconds(0, 0, 0);
        totals.prefillStep(prompts.tokens());
        begin(mean * steps.randomFactor(decodesInStep ? StepRegime.MIXED : StepRegime.PREFILL), 1);
    }

    private void beginDecodes() {
        double requests = batch.size();
        double context = batch.contextTokens();
        double variance = batch.variance();
        double mean = steps.decodeSeconds(requests, context, variance);
        double longest = batch.stepsUntilFinish();
        if (kvCapacity < Double.POSITIVE_INFINITY) {
            longest = Math.min(longest, Math.max(1, Math.floor((kvCapacity - kvUsed()) / requests)));
        }
        if (!transfers.isEmpty() && canJoin()) {
            longest = Math.min(longest, Math.max(1, Math.ceil((transfers.firstReady() - nowSeconds) / mean)));
        }
        if (longest > 8) {
            mean = steps.decodeSeconds(requests, context + requests * 0.5 * longest, variance);
        }
        decodeMeanSeconds = mean * speedFactor;
        double factor = steps.randomFactor(StepRegime.DECODE);
        begin(longest == 1 ? mean * factor : mean * (1 + (factor - 1) / Math.sqrt(longest)), longest);
    }

    private void begin(double seconds, double count) {
        stepsStarted++;
        step.begin(nowSeconds, seconds * speedFactor, count);
    }

    private void finishStep() {
        if (decodesInStep) {
            gaps.tell(step, batch.size(), !prompts.isEmpty(), decodeMeanSeconds);
            batch.advance(step.count());
            finishDecodes();
        }
        if (!prompts.isEmpty()) {
            finishPrefills();
        }
    }

    private void finishDecodes() {
        double firstTokenSeconds = nowSeconds - (step.count() - 1) * step.seconds();
        for (int i = batch.size() - 1; batch.isAnyAwaited() && i >= 0; i--) {
            if (batch.firstTokenDue(i)) {
                listener.onFirstToken(batch.request(i), firstTokenSeconds);
            }
        }
        if (batch.anyFinished()) {
            for (int i = batch.size() - 1; i >= 0; i--) {
                if (batch.isFinished(i)) {
                    listener.onFinished(batch.request(i), nowSeconds);
                }
            }
            batch.removeFinished();
        }
    }

    private void finishPrefills() {
        int done = prompts.size() - (prompts.isLastCut() ? 1 : 0);
        for (int i = 0; i < done; i++) {
            int request = prompts.request(0);
            double context = prompts.contextTokens(0);
            double output = prompts.outputTokens(0);
            prompts.finishFirst();
            listener.onFirstToken(request, nowSeconds);
            if (role == Role.PREFILL || output <= 1) {
                listener.onFinished(request, nowSeconds);
            } else {
                batch.add(request, context, output - 1);
                gaps.joined(nowSeconds);
            }
        }
        prompts.finishStep();
    }

    /** Preempts the youngest while the decodes of the next step do not fit; returns whether it had to. */
    private boolean makeRoomForDecodes() {
        boolean any = false;
        while (batch.size() > 1 && kvUsed() + batch.size() > kvCapacity) {
            int last = batch.size() - 1;
            waiting.addFirst(batch.request(last), 0, batch.contextTokens(last), batch.tokensLeft(last));
            batch.removeLast();
            preemptions++;
            any = true;
        }
        return any;
    }

    /** Decode role: reserves room, lets transfers pass, and takes who has come into the batch. */
    private void receive() {
        while (!waiting.isEmpty()
                && (inside() == waiting.size()
                        || kvUsed() + waiting.doneTokens(0) + waiting.leftTokens(0) <= kvCapacity)) {
            transfers.begin(waiting, nowSeconds);
        }
        transfers.finish(batch, maxSequences, nowSeconds);
    }
}
