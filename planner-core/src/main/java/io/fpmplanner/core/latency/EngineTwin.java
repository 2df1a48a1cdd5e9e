/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.Role;
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
     */
    private final Role role;
    private final boolean decodeFirst;
    private final double kvCapacity;
    private final StepSampler steps;
    private final TwinListener listener;
    private final TwinAdmission admission;
    private final TwinRequests waiting;
    private final TwinPrompts prompts;
    private final TwinBatch batch;
    private final TwinTransfers transfers;
    private final TwinStep step = new TwinStep();
    private final TwinTokenGaps gaps;
    private final TwinTotals totals;

    private double nowSeconds;
    private double decodeMeanSeconds;
    private boolean decodesInStep;
    private long stepsStarted;
    private double speedFactor = 1;

    /** One whose totals are kept, with so long a way for KV caches. */
    public EngineTwin(
            Role role, EngineLimits limits, double transferSeconds, StepSampler steps, TwinListener listener) {
        this(
                new TwinAdmission(
                        role, limits, new TwinTransfers(transferSeconds), new TwinProbes(new TrialResults(0))),
                steps,
                listener,
                totalsOf(limits));
    }

    /** One without totals, to which KV caches come at once, and whose probes tell what they met. */
    EngineTwin(Role role, EngineLimits limits, StepSampler steps, TwinListener listener, TrialResults results) {
        this(
                new TwinAdmission(role, limits, new TwinTransfers(0), new TwinProbes(results)),
                steps,
                listener,
                TwinTotals.none());
    }

    private static TwinTotals totalsOf(EngineLimits limits) {
        return new TwinTotals(limits.maxBatchedTokens(), limits.maxSequences());
    }

    private EngineTwin(TwinAdmission admission, StepSampler steps, TwinListener listener, TwinTotals totals) {
        this.admission = admission;
        this.role = admission.role;
        this.decodeFirst = admission.decodeFirst;
        this.kvCapacity = admission.kvCapacity;
        this.waiting = admission.waiting;
        this.prompts = admission.prompts;
        this.batch = admission.batch;
        this.transfers = admission.transfers;
        this.steps = steps;
        this.listener = listener;
        this.gaps = new TwinTokenGaps(listener, decodeFirst);
        this.totals = totals;
    }

    /** Empties the engine and sets its time. */
    public void reset(double atSeconds) {
        admission.clear();
        step.clear();
        gaps.reset(atSeconds);
        nowSeconds = atSeconds;
        totals.reset();
    }

    /** From here on steps take this many times as long as a typical rank's. */
    public void at(double factor) {
        speedFactor = factor;
    }

    /** A request that runs already; only before the first step. */
    public void run(int request, double contextTokens, double tokensLeft) {
        batch.add(request, contextTokens, Math.max(1, tokensLeft));
    }

    /** So many requests will run. */
    void expect(int requests) {
        batch.reserve(requests);
    }

    /** A prompt of which the engine has begun to compute some; only before the first step, at most one. */
    public void cut(int request, double doneTokens, double leftTokens, double outputTokens) {
        prompts.begun(request, doneTokens, leftTokens, outputTokens);
    }

    /** A request that waits at the start; no step is begun. */
    public void queue(int request, double cachedTokens, double leftTokens, double outputTokens) {
        waiting.add(request, cachedTokens, leftTokens, outputTokens);
    }

    /** The request queued last has lost its place in the KV cache just now; all before it have too. */
    void lastWasPreempted() {
        admission.lastWasPreempted();
    }

    /** A request that arrives now; the engine has been advanced to this moment. In the decode role all is cached. */
    public void submit(int request, double cachedTokens, double leftTokens, double outputTokens) {
        boolean first = waiting.isEmpty();
        waiting.add(request, cachedTokens, leftTokens, outputTokens);
        arrived(first);
    }

    /** Who comes behind others that do not fit in before somebody leaves changes nothing until then. */
    private void arrived(boolean first) {
        if (!step.isRunning()) {
            startStep();
        } else if (first && step.count() > 1 && admission.canJoin()) {
            step.cutAt(nowSeconds);
        }
    }

    /** A request that arrives now to see when its turn comes, and then is gone. */
    void probe(int trial, double cachedTokens, double leftTokens, double outputTokens) {
        admission.probes.add(trial, cachedTokens, leftTokens, outputTokens, waiting.size());
        arrived(waiting.isEmpty());
    }

    /** Such that have not seen it yet. */
    int probes() {
        return admission.probes.waiting();
    }

    /** Leaves those that have not at what is known now. */
    void giveUpProbes() {
        admission.probes.giveUp(nowSeconds, batch);
    }

    /** Begins the next step unless one runs. */
    public void wake() {
        if (!step.isRunning()) {
            startStep();
        }
    }

    /** Requests inside, running or waiting. */
    public int inside() {
        return admission.inside();
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
        return admission.preemptions();
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
            totals.pass(passed, step.isRunning(), batch.size(), admission.kvUsed(), waiting.size());
            nowSeconds = seconds;
        }
    }

    private void startStep() {
        step.clear();
        if (role == Role.DECODE) {
            admission.receive(nowSeconds);
            tellJoined();
        }
        boolean preempted = decodeFirst && admission.makeRoom();
        if (role != Role.DECODE) {
            admission.composePrompts(preempted, nowSeconds);
        }
        decodesInStep = !batch.isEmpty() && (decodeFirst || prompts.chunks() == 0);
        if (prompts.chunks() > 0) {
            beginPrefill();
        } else if (decodesInStep) {
            if (!decodeFirst) {
                admission.makeRoom();
            }
            beginDecodes();
        }
    }

    /** In the decode role requests have their first tokens with the step that begins. */
    private void tellJoined() {
        TwinProbes probes = admission.probes;
        while (probes.isAnyJoined()) {
            double mean = steps.decodeSeconds(
                    batch.size() + 1.0, batch.contextTokens() + probes.joinedTokens(), batch.variance());
            probes.token(nowSeconds + mean * steps.randomFactor(StepRegime.DECODE) * speedFactor, admission);
        }
    }

    private void beginPrefill() {
        steps.prefill(prompts.chunks(), prompts.tokens(), prompts.kvTokensBefore(), prompts.lengthVariance());
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
            longest = Math.min(longest, Math.max(1, Math.floor((kvCapacity - admission.kvUsed()) / requests)));
        }
        if (!transfers.isEmpty() && admission.canJoin()) {
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
            batch.removeFinished(listener, nowSeconds);
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
}
