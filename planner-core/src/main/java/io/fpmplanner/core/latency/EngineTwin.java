/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.models.StepRegime;
import java.util.Arrays;

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
    private static final int NO_REQUEST = Integer.MIN_VALUE;
    private static final int LOAD_BINS = 64;
    private static final int MOST_COUNTED = 4096;
    private static final double NEVER = Double.POSITIVE_INFINITY;

    /** Told what happens; in order of time. */
    public interface Listener {
        /** The request has its first token; in the decode role its first token from here. */
        void onFirstToken(int request, double atSeconds);

        /** The request has its last token. */
        void onFinished(int request, double atSeconds);

        /** So many tokens came after a gap of this length, noise left out of decode-only steps. */
        void onGap(double seconds, double tokens, StepRegime regime);
    }

    private final Role role;
    private final boolean decodeFirst;
    private final int budgetTokens;
    private final int maxSequences;
    private final double kvCapacity;
    private final double transferSeconds;
    private final StepSampler steps;
    private final Listener listener;
    private final TwinRequests waiting = new TwinRequests();
    private final TwinRequests arriving = new TwinRequests();
    private final TwinRequests prefilling = new TwinRequests();
    private final TwinBatch batch;

    private double nowSeconds;
    private double stepStart;
    private double stepEnd = NEVER;
    private double stepSeconds;
    private double decodeMeanSeconds;
    private double stretch;
    private boolean decodesInStep;
    private double cutTokens;
    private double prefillKvTokens;
    private double lastDecodeSeconds;
    private int joined;
    private double joinedSeconds;
    private double busySeconds;
    private double batchSeconds;
    private double kvSeconds;
    private double queueSeconds;
    private long preemptions;
    private long stepsStarted;
    private double speedFactor = 1;
    private int watched = NO_REQUEST;
    private double watchedStart = NEVER;
    private double chunksAhead;
    private double tokensAhead;
    private double kvTokensAhead;
    private double tokensBehind;
    private final double[] batchTime;
    private final double[] prefillStepTokens = new double[LOAD_BINS + 1];

    public EngineTwin(Role role, EngineLimits limits, double transferSeconds, StepSampler steps, Listener listener) {
        this.role = role;
        this.decodeFirst = limits.schedulingRule() == SchedulingRule.DECODE_FIRST;
        this.budgetTokens = limits.maxBatchedTokens();
        this.maxSequences = limits.maxSequences();
        this.kvCapacity = limits.kvCapacityTokens().isPresent()
                ? limits.kvCapacityTokens().getAsLong()
                : Double.POSITIVE_INFINITY;
        this.transferSeconds = role == Role.DECODE ? transferSeconds : 0;
        this.steps = steps;
        this.listener = listener;
        this.batch = new TwinBatch();
        this.batchTime = new double[Math.min(MOST_COUNTED, maxSequences) + 1];
    }

    /** Empties the engine and sets its time. */
    public void reset(double atSeconds) {
        waiting.clear();
        arriving.clear();
        prefilling.clear();
        batch.clear();
        nowSeconds = atSeconds;
        watched = NO_REQUEST;
        watchedStart = NEVER;
        stepEnd = NEVER;
        stretch = 0;
        cutTokens = 0;
        prefillKvTokens = 0;
        lastDecodeSeconds = atSeconds;
        joined = 0;
        joinedSeconds = 0;
        resetTotals();
    }

    /** Begins the sums of busy time, batch, queue and KV use anew. */
    public void resetTotals() {
        busySeconds = batchSeconds = kvSeconds = queueSeconds = 0;
        Arrays.fill(batchTime, 0);
        Arrays.fill(prefillStepTokens, 0);
    }

    /** From here on steps take this many times as long as a typical rank's. */
    public void at(double factor) {
        speedFactor = factor;
    }

    /** Takes note of when the request's own prefill begins, and beside what. */
    public void watch(int request) {
        watched = request;
        watchedStart = NEVER;
    }

    /** When the watched request's first chunk was scheduled; infinite while it was not. */
    double watchedStart() {
        return watchedStart;
    }

    double chunksAhead() {
        return chunksAhead;
    }

    /** Tokens scheduled before the watched request in its first step. */
    double tokensAhead() {
        return tokensAhead;
    }

    double kvTokensAhead() {
        return kvTokensAhead;
    }

    /** Prompt tokens waiting behind the watched request when it started, up to the budget of a step. */
    double tokensBehind() {
        return tokensBehind;
    }

    double contextTokens() {
        return batch.contextTokens();
    }

    double contextVariance() {
        return batch.variance();
    }

    /** A request that runs already; only before the first step. */
    public void run(int request, double contextTokens, double tokensLeft) {
        batch.add(request, contextTokens, Math.max(1, tokensLeft));
    }

    /** A prompt of which the engine has begun to compute some; only before the first step, at most one. */
    public void cut(int request, double doneTokens, double leftTokens, double outputTokens) {
        prefilling.add(request, doneTokens, leftTokens, outputTokens);
        prefillKvTokens += doneTokens;
        cutTokens = leftTokens;
    }

    /** A request that waits at the start; no step is begun. */
    public void queue(int request, double cachedTokens, double leftTokens, double outputTokens) {
        waiting.add(request, cachedTokens, leftTokens, outputTokens);
    }

    /** A request that arrives now; the engine has been advanced to this moment. In the decode role all is cached. */
    public void submit(int request, double cachedTokens, double leftTokens, double outputTokens) {
        waiting.add(request, cachedTokens, leftTokens, outputTokens);
        if (stepEnd == NEVER) {
            startStep();
        } else if (stretch > 1 && canJoin()) {
            double done = Math.ceil((nowSeconds - stepStart) / stepSeconds);
            stretch = Math.max(1, Math.min(stretch, done));
            stepEnd = stepStart + stretch * stepSeconds;
        }
    }

    private boolean canJoin() {
        return batch.size() + prefilling.size() < maxSequences;
    }

    /** Begins the next step unless one runs. */
    public void wake() {
        if (stepEnd == NEVER) {
            startStep();
        }
    }

    /** Requests inside, running or waiting. */
    public int inside() {
        return batch.size() + prefilling.size() + waiting.size() + arriving.size();
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

    /** Requests that decode. */
    public int running() {
        return batch.size();
    }

    /** When something next happens by itself; infinite when idle. */
    public double nextEventSeconds() {
        return stepEnd != NEVER ? stepEnd : arriving.isEmpty() ? NEVER : Math.max(nowSeconds, arriving.firstReady());
    }

    /** Where this engine is. */
    public double nowSeconds() {
        return nowSeconds;
    }

    /** Time in steps since the sums began. */
    public double busySeconds() {
        return busySeconds;
    }

    /** Requests decoding, integrated over time. */
    public double batchSeconds() {
        return batchSeconds;
    }

    /** Tokens in the KV cache, integrated over time. */
    public double kvSeconds() {
        return kvSeconds;
    }

    /** Requests waiting, integrated over time. */
    public double queueSeconds() {
        return queueSeconds;
    }

    /** Steps and stretches begun since the engine was made: what it has cost. */
    public long stepsStarted() {
        return stepsStarted;
    }

    /** Lets the step that runs end no sooner than that, for nothing was heard of its end: it began later. */
    void stillRunningAt(double seconds) {
        double late = seconds - stepStart - stepSeconds;
        if (stepEnd != NEVER && late > 0) {
            stepStart += late;
            stepEnd += late;
        }
    }

    /** Times a request lost its KV cache to others. */
    public long preemptions() {
        return preemptions;
    }

    /** Lets all pass that ends up to and including that time. */
    public void advanceTo(double untilSeconds) {
        for (double next = nextEventSeconds(); next <= untilSeconds; next = nextEventSeconds()) {
            passTo(next);
            if (stepEnd != NEVER) {
                finishStep();
            }
            startStep();
        }
        passTo(untilSeconds);
    }

    /** The decode batch that is not exceeded for a share of the time in which anything decodes. */
    public double batchQuantile(double probability) {
        return quantile(batchTime, probability);
    }

    /** The prompt tokens that a share of the steps with prefill does not exceed, to a 64th of the budget. */
    public double prefillTokensQuantile(double probability) {
        return quantile(prefillStepTokens, probability) * budgetTokens / LOAD_BINS;
    }

    private static double quantile(double[] weights, double probability) {
        double total = 0;
        for (int i = 1; i < weights.length; i++) {
            total += weights[i];
        }
        double below = 0;
        for (int i = 1; i < weights.length; i++) {
            below += weights[i];
            if (weights[i] > 0 && below >= probability * total) {
                return i;
            }
        }
        return 0;
    }

    private void passTo(double seconds) {
        double passed = seconds - nowSeconds;
        if (passed > 0) {
            busySeconds += stepEnd != NEVER ? passed : 0;
            batchSeconds += passed * batch.size();
            batchTime[Math.min(batchTime.length - 1, batch.size())] += passed;
            kvSeconds += passed * kvUsed();
            queueSeconds += passed * waiting.size();
            nowSeconds = seconds;
        }
    }

    private double kvUsed() {
        return batch.contextTokens() + prefillKvTokens + arriving.doneTokens();
    }

    private void startStep() {
        stepEnd = NEVER;
        if (role == Role.DECODE) {
            receive();
        }
        boolean preempted = false;
        double left = budgetTokens;
        if (decodeFirst || role == Role.DECODE) {
            preempted = makeRoomForDecodes();
            left -= batch.size();
        }
        double chunkTokens = 0;
        double chunkKvTokens = 0;
        double chunks = 0;
        if (role != Role.DECODE) {
            cutTokens = prefilling.isEmpty() ? 0 : prefilling.leftTokens(0);
            if (!prefilling.isEmpty() && left > 0) {
                double tokens = Math.min(left, prefilling.leftTokens(0));
                chunkKvTokens += prefilling.doneTokens(0);
                chunkTokens += tokens;
                left -= tokens;
                chunks++;
                cutTokens = prefilling.leftTokens(0) - tokens;
            }
            while (!preempted && left > 0 && !waiting.isEmpty() && canJoin() && fits(left, chunkTokens)) {
                double tokens = Math.min(left, waiting.leftTokens(0));
                if (waiting.request(0) == watched) {
                    noteWatched(chunks, chunkTokens, chunkKvTokens);
                }
                chunkKvTokens += waiting.doneTokens(0);
                prefillKvTokens += waiting.doneTokens(0);
                cutTokens = waiting.leftTokens(0) - tokens;
                waiting.moveFirstTo(prefilling);
                chunkTokens += tokens;
                left -= tokens;
                chunks++;
            }
            prefillKvTokens += chunkTokens;
        }
        decodesInStep = !batch.isEmpty() && (decodeFirst || chunks == 0);
        if (chunks > 0) {
            beginPrefill(chunks, chunkTokens, chunkKvTokens);
        } else if (decodesInStep) {
            if (!decodeFirst) {
                makeRoomForDecodes();
            }
            beginDecodes();
        }
    }

    private void noteWatched(double chunks, double tokens, double kvTokens) {
        watchedStart = nowSeconds;
        chunksAhead = chunks;
        tokensAhead = tokens;
        kvTokensAhead = kvTokens;
        tokensBehind = 0;
        for (int i = 1; i < waiting.size() && tokensBehind < budgetTokens; i++) {
            tokensBehind += waiting.leftTokens(i);
        }
    }

    private boolean fits(double left, double chunkTokens) {
        double free = kvCapacity - kvUsed() - chunkTokens;
        if (batch.isEmpty() && prefilling.isEmpty()) {
            return true;
        }
        if (decodeFirst) {
            return waiting.doneTokens(0) + Math.min(left, waiting.leftTokens(0)) <= free - batch.size();
        }
        double reserved = RESERVED_OUTPUT_SHARE * (batch.tokensLeft() + waiting.outputTokens(0));
        return waiting.doneTokens(0) + waiting.leftTokens(0) + reserved <= free;
    }

    private void beginPrefill(double chunks, double tokens, double kvTokens) {
        double decodes = decodesInStep ? batch.size() : 0;
        double mean = steps.prefill(chunks, tokens, kvTokens)
                .withPrefillSeconds(
                        decodes, decodesInStep ? batch.contextTokens() : 0, decodesInStep ? batch.variance() : 0);
        prefillStepTokens[(int) Math.min(LOAD_BINS, Math.ceil(tokens * LOAD_BINS / budgetTokens))]++;
        stretch = 1;
        begin(mean * steps.randomFactor(decodes > 0 ? StepRegime.MIXED : StepRegime.PREFILL));
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
        if (!arriving.isEmpty() && canJoin()) {
            longest = Math.min(longest, Math.max(1, Math.ceil((arriving.firstReady() - nowSeconds) / mean)));
        }
        stretch = longest;
        if (stretch > 8) {
            mean = steps.decodeSeconds(requests, context + requests * 0.5 * stretch, variance);
        }
        decodeMeanSeconds = mean * speedFactor;
        double factor = steps.randomFactor(StepRegime.DECODE);
        begin(stretch == 1 ? mean * factor : mean * (1 + (factor - 1) / Math.sqrt(stretch)));
    }

    private void begin(double seconds) {
        stepsStarted++;
        stepSeconds = seconds * speedFactor;
        stepStart = nowSeconds;
        stepEnd = nowSeconds + stretch * stepSeconds;
    }

    private void finishStep() {
        if (decodesInStep) {
            tellGaps();
            lastDecodeSeconds = nowSeconds;
            joined = 0;
            joinedSeconds = 0;
            batch.advance(stretch);
            finishDecodes();
        }
        if (!prefilling.isEmpty()) {
            finishPrefills();
        }
        stretch = 0;
    }

    /** The first step of a stretch carried prefill or followed steps in which the decodes stood still; others did not. */
    private void tellGaps() {
        double plainSteps = stretch;
        if (decodeFirst || role == Role.DECODE) {
            if (!prefilling.isEmpty()) {
                listener.onGap(stepSeconds, batch.size(), StepRegime.MIXED);
                plainSteps--;
            }
        } else if (stepStart > lastDecodeSeconds) {
            listener.onGap(stepStart - lastDecodeSeconds + stepSeconds, batch.size() - joined, StepRegime.MIXED);
            if (joined > 0) {
                listener.onGap(stepStart - joinedSeconds / joined + stepSeconds, joined, StepRegime.MIXED);
            }
            plainSteps--;
        }
        if (plainSteps > 0) {
            listener.onGap(decodeMeanSeconds, batch.size() * plainSteps, StepRegime.DECODE);
        }
    }

    private void finishDecodes() {
        for (int i = batch.size() - 1; i >= 0; i--) {
            if (batch.firstTokenDue(i)) {
                listener.onFirstToken(batch.request(i), nowSeconds - (stretch - 1) * stepSeconds);
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
        int done = prefilling.size() - (cutTokens > 0 ? 1 : 0);
        for (int i = 0; i < done; i++) {
            int request = prefilling.request(0);
            double context = prefilling.doneTokens(0) + prefilling.leftTokens(0);
            double output = prefilling.outputTokens(0);
            prefilling.removeFirst();
            prefillKvTokens -= context;
            listener.onFirstToken(request, nowSeconds);
            if (role == Role.PREFILL || output <= 1) {
                listener.onFinished(request, nowSeconds);
            } else {
                batch.add(request, context, output - 1);
                joined++;
                joinedSeconds += nowSeconds;
            }
        }
        if (cutTokens > 0) {
            prefilling.setLeft(0, cutTokens);
        } else {
            prefillKvTokens = 0;
        }
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
            double context = waiting.doneTokens(0) + waiting.leftTokens(0);
            arriving.add(waiting.request(0), context, 0, waiting.outputTokens(0));
            arriving.setLastReady(nowSeconds + transferSeconds);
            waiting.removeFirst();
        }
        while (!arriving.isEmpty() && batch.size() < maxSequences && arriving.firstReady() <= nowSeconds) {
            batch.add(arriving.request(0), arriving.doneTokens(0), arriving.outputTokens(0));
            batch.awaitFirstToken();
            arriving.removeFirst();
        }
    }
}
