/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One stream of frames, keyed by endpoint, publisher, worker id bytes and data-parallel rank: its lives, losses, newest
 * state and window. One writer, not threadsafe.
 *
 * <p>A sequence that does not rise is a restart: engines number from 0 or 1 again, and ZeroMQ does not reorder within a
 * connection. The first sequence seen says nothing about loss, for a subscription starts anywhere.
 */
final class Rank {
    /* A heartbeat may come in the middle of a long step; after this many in a row even that is over. */
    private static final int HEARTBEATS_THAT_PROVE_IDLE = 3;

    /* More than an engine publishes in a week: not loss, but another producer or a corrupt number. */
    private static final long MOST_PLAUSIBLE_GAP = 1L << 30;

    /* A new worker on the endpoint of one that missed its second heartbeat has replaced it. */
    private static final double REPLACED_AFTER_SECONDS = 2.5;

    /* One that came back under its name from another port has after it missed one. */
    private static final double RETURNED_AFTER_SECONDS = 1.2;

    private static final long MOST_LOST_STEPS = 10_000;
    private static final double TIMES_SHORTER = 5;
    private static final long PICKED_BY_CLOCK = 16;
    private static final long MOST_EXTRAPOLATED_NANOS = 15_000_000_000L;

    /** A prompt that comes during a step is taken up with the next; this many steps later it is held up. */
    private static final int BLOCKED_STEPS = 4;

    private final StepBudget budget;
    private final EndpointBook.Counts endpointCounts;
    private final RankGroup group;
    private final VarianceWatch variances = new VarianceWatch();
    private FpmFrame last = new FpmFrame();
    /** The newest with work, which is {@link #last} itself while engines are busy: one copy a frame, not two. */
    private FpmFrame lastStep = new FpmFrame();

    private FpmFrame spare = lastStep;
    private final StepWindow window = new StepWindow();
    private final SpeedEstimate speed = new SpeedEstimate();
    private final TickTotals totals = new TickTotals();
    private final StandingBatch standing;
    private final QueueWatch queueWatch = new QueueWatch();
    private final List<SeenLatency.Wait> waits = new ArrayList<>();
    private double standingSeconds;
    private int blockedInRow;
    private final RankTraffic traffic;
    private final long firstReceivedNanos;
    /** Of the newest frame by its time, which need not be the last one to come. */
    private long newestReceivedNanos;

    @Nullable
    private Seat seat;

    @Nullable
    private Seat returnSeat;

    private boolean stepKnown;
    private boolean idleProven;
    private int heartbeatsInRow;
    private int incarnation = 1;
    private long position = FpmFrame.NO_SEQUENCE;
    private long missedBefore;

    private long framesReceived;
    private long stepsLearned;
    private long heartbeats;
    private long dummySteps;
    private long untimedSteps;
    private long implausible;
    private long repeatedSteps;
    private long sharedStep;
    private long framesLost;
    private long restarts;

    /** Queue at the previous tick, for its growth; of the present incarnation. */
    private double tickQueueTokens;

    private double tickQueueRequests;
    private double tickDecodeQueue;
    private ItlBounds itlBounds = ItlBounds.NONE;

    Rank(FpmFrame first, StepBudget budget, EndpointBook.Counts endpointCounts, RankGroup group) {
        this.budget = budget;
        this.endpointCounts = endpointCounts;
        this.group = group;
        this.traffic = new RankTraffic(budget.role());
        this.standing = new StandingBatch(budget);
        this.firstReceivedNanos = first.receivedNanos();
        this.newestReceivedNanos = firstReceivedNanos;
        last.set(first);
    }

    /** Tokens are counted by these from now on, the gap between steps left out. */
    void expectItl(ItlBounds bounds) {
        itlBounds = bounds;
    }

    boolean isFor(FpmFrame frame) {
        return last.dpRank() == frame.dpRank()
                && last.publisherId() == frame.publisherId()
                && last.sameWorker(frame)
                && last.endpoint().equals(frame.endpoint());
    }

    static int hashOf(FpmFrame frame) {
        int hash = frame.workerIdHash() * 31 + frame.dpRank();
        hash = hash * 31 + frame.endpoint().hashCode();
        hash = hash * 31 + Long.hashCode(frame.publisherId());
        return hash ^ (hash >>> 16);
    }

    int hash() {
        return hashOf(last);
    }

    FpmFrame last() {
        return last;
    }

    EndpointBook.Counts endpointCounts() {
        return endpointCounts;
    }

    RankGroup group() {
        return group;
    }

    /** Number within its group of the newest measured step that this rank reported. */
    long sharedStep() {
        return sharedStep;
    }

    /** Counts that this rank was the first to report a measured step of its group. */
    void begins(long step) {
        sharedStep = step;
    }

    /** Counts that this rank reported a measured step which another rank of its group had reported. */
    void repeats(long step) {
        sharedStep = step;
        repeatedSteps++;
    }

    /** Counts a step of this rank that trained the model. */
    void learned() {
        stepsLearned++;
    }

    /**
     * Takes a frame in.
     *
     * @return whether it is a measured step to learn from
     */
    boolean accept(FpmFrame frame, GapEstimator gaps) {
        framesReceived++;
        newestReceivedNanos = Math.max(newestReceivedNanos, frame.receivedNanos());
        boolean consecutive = follow(frame.streamPosition());
        long elapsedNanos = frame.receivedNanos() - last.receivedNanos();
        boolean learn = false;
        boolean step = false;
        if (!frame.isPlausible() || !budget.allows(frame)) {
            implausible++;
        } else if (frame.isHeartbeat()) {
            heartbeats++;
            heartbeatsInRow++;
            if (isIdle()) {
                standing.clear();
            }
        } else if (frame.isAllZero()) {
            dummySteps++;
            idleProven = true;
            standing.clear();
        } else {
            learn = acceptWork(frame, consecutive, elapsedNanos, gaps);
            step = true;
        }
        variances.observe(frame);
        group.noteQueue(frame);
        keep(frame, step);
        if (variances.missing()) {
            last.clearVariances();
        }
        return learn;
    }

    private void keep(FpmFrame frame, boolean step) {
        if (step && lastStep != last) {
            spare = lastStep;
            lastStep = last;
        } else if (!step && lastStep == last) {
            last = spare;
        }
        last.set(frame);
    }

    /** Moves to a new position in the stream; returns whether it follows directly on the previous one. */
    private boolean follow(long newPosition) {
        if (newPosition < 0) {
            return false;
        }
        long previous = position;
        position = newPosition;
        missedBefore = 0;
        if (previous < 0) {
            return false;
        }
        if (newPosition <= previous || newPosition - previous > MOST_PLAUSIBLE_GAP) {
            restart();
            return false;
        }
        missedBefore = newPosition - previous - 1;
        framesLost += missedBefore;
        return newPosition == previous + 1;
    }

    private void restart() {
        restarts++;
        incarnation++;
        window.clear();
        speed.clear();
        standing.clear();
        stepKnown = false;
        idleProven = false;
        heartbeatsInRow = 0;
        forgetQueue();
    }

    private boolean acceptWork(FpmFrame frame, boolean consecutive, long elapsedNanos, GapEstimator gaps) {
        boolean timed = frame.wallTimeSeconds() > 0;
        if (!timed) {
            untimedSteps++;
        }
        if (frame.hasWork()) {
            boolean backToBack = consecutive && stepKnown && heartbeatsInRow == 0 && !idleProven;
            boolean stayedBusy = budget.leavesWork(lastStep) || continues(frame);
            if (backToBack && timed && lastStep.wallTimeSeconds() > 0 && stayedBusy) {
                gaps.add(elapsedNanos, (long) (frame.wallTimeSeconds() * 1e9));
            }
            count(frame, backToBack, stepsRepresented(frame, elapsedNanos), decodesRepresented(frame, elapsedNanos));
        }
        standing.add(frame);
        blockedInRow = KvLevel.isBlocked(frame, budget.limits(), budget.role()) ? blockedInRow + 1 : 0;
        stepKnown = true;
        idleProven = false;
        heartbeatsInRow = 0;
        return timed && frame.hasWork();
    }

    /*
     * A frame after a gap stands for the lost ones too, or demand would look small just when a publisher drops frames
     * or a source passes on a sample only: as many as are missing, but
     * no more than there was time for, the lost steps being up to TIMES_SHORTER than this one. After a silence longer
     * than any sampling a single frame tells nothing of what was missed.
     *
     * Where most are missing, a clock picked the frame: the step that was over when it was looked at, more often the
     * longer the NEXT step is. Is prompt work left, the next is a long one too, so the frame stands for its time;
     * else the next may be any, and it stands for its number. Where every step decodes the batch, decodes are counted
     * by number in any case: a long step stands for no more of them than the short ones beside it.
     */
    private long stepsRepresented(FpmFrame frame, long elapsedNanos) {
        boolean longNext = budget.cutsPrompt(frame) || frame.queuedPrefillRequests() > 0;
        return stepsRepresented(frame, elapsedNanos, longNext && missedBefore >= PICKED_BY_CLOCK ? 1 : TIMES_SHORTER);
    }

    private long decodesRepresented(FpmFrame frame, long elapsedNanos) {
        return budget.limits().schedulingRule() == SchedulingRule.DECODE_FIRST
                ? stepsRepresented(frame, elapsedNanos, TIMES_SHORTER)
                : stepsRepresented(frame, elapsedNanos);
    }

    private long stepsRepresented(FpmFrame frame, long elapsedNanos, double shorter) {
        long steps = 1 + Math.min(missedBefore, MOST_LOST_STEPS);
        double wallNanos = frame.wallTimeSeconds() * 1e9;
        if (elapsedNanos > MOST_EXTRAPOLATED_NANOS) {
            return 1;
        }
        if (steps == 1 || elapsedNanos <= 0 || wallNanos <= 0) {
            return steps;
        }
        return Math.max(1, Math.min(steps, Math.round(shorter * elapsedNanos / wallNanos)));
    }

    private void count(FpmFrame frame, boolean backToBack, long steps, long decodes) {
        long completed = budget.completedPrefills(frame);
        totals.steps += steps;
        totals.prefillTokens += steps * frame.scheduledPrefillTokens();
        totals.prefillsCompleted += steps * completed;
        totals.decodeTokens += decodes * frame.scheduledDecodeRequests();
        totals.decodeKvTokens += decodes * frame.scheduledDecodeKvTokens();
        totals.decodeKvDeviation +=
                decodes * frame.scheduledDecodeRequests() * Math.sqrt(frame.scheduledDecodeKvVariance());
        countPromptLengths(frame);
        countTokenGaps(frame);
        long begun = frame.scheduledPrefillRequests() - (stepKnown && budget.cutsPrompt(lastStep) ? 1 : 0);
        queueWatch.add(frame, steps * Math.max(0, begun), waits);
        if (backToBack) {
            if (!budget.cutsPrompt(lastStep) && !budget.cutsPrompt(frame)) {
                totals.wholePromptTokens += frame.scheduledPrefillTokens();
                totals.wholePromptCachedTokens += frame.scheduledPrefillKvTokens();
                totals.wholePrompts += frame.scheduledPrefillRequests();
            }
            countDecodeChanges(frame);
        }
        window.add(frame, completed);
    }

    /** Decodes that stand still during a step of prompts only get their next token that much later. */
    private void countTokenGaps(FpmFrame frame) {
        long decodes = frame.scheduledDecodeRequests();
        if (decodes == 0) {
            standingSeconds += standing.requests() > 0 ? frame.wallTimeSeconds() : 0;
            return;
        }
        totals.addTokens(decodes, frame.wallTimeSeconds() + standingSeconds, itlBounds);
        standingSeconds = 0;
    }

    /*
     * The prompts of a step that cuts none end in it, and their tokens are all there: computed now, before, or found in the
     * cache. With the variance that engines report of full lengths, that gives the second moment.
     */
    private void countPromptLengths(FpmFrame frame) {
        double prompts = frame.scheduledPrefillRequests();
        if (prompts == 0 || budget.cutsPrompt(frame)) {
            return;
        }
        double tokens = (double) frame.scheduledPrefillTokens() + frame.scheduledPrefillKvTokens();
        totals.knownPrompts += frame.scheduledPrefillRequests();
        totals.knownPromptTokens += (long) tokens;
        totals.promptLengths.add(frame.scheduledPrefillRequests(), tokens, frame.scheduledPrefillLengthVariance());
        totals.knownPromptSquares += prompts * frame.scheduledPrefillLengthVariance() + tokens * tokens / prompts;
    }

    /** Whether the step decodes just the requests of the previous one, each a token longer. */
    private boolean continues(FpmFrame frame) {
        long batch = frame.scheduledDecodeRequests();
        long growth = frame.scheduledDecodeKvTokens() - lastStep.scheduledDecodeKvTokens();
        return batch > 0 && batch == lastStep.scheduledDecodeRequests() && growth == batch;
    }

    /*
     * Without changes the summed context grows by the tokens generated: one a request, more under speculation. A
     * batch of the same size that grew by less has surely lost a request and got another.
     */
    private void countDecodeChanges(FpmFrame frame) {
        long before = lastStep.scheduledDecodeRequests();
        totals.pairedDecodeTokens += frame.scheduledDecodeRequests();
        if (before == 0) {
            totals.decodeJoined += frame.scheduledDecodeRequests();
            if (frame.scheduledDecodeRequests() == 1 && lastStep.scheduledPrefillRequests() == 0) {
                totals.addJoiner(frame.scheduledDecodeKvTokens());
            }
            return;
        }
        long change = frame.scheduledDecodeRequests() - before;
        long growth = frame.scheduledDecodeKvTokens() - lastStep.scheduledDecodeKvTokens();
        boolean unchanged = change == 0 && growth == before;
        boolean swapped = change == 0 && growth < before;
        totals.decodeJoined += Math.max(0, change) + (swapped ? 1 : 0);
        totals.decodeLeft += Math.max(0, -change) + (swapped ? 1 : 0);
        if (!budget.isFull(lastStep)) {
            countContexts(before, change, growth - before);
        }
        boolean full = change == 0 && budget.isFull(lastStep);
        totals.decodePairs += full ? 0 : 1;
        totals.unchangedPairs += unchanged && !full ? 1 : 0;
        totals.fullPairs += full ? 1 : 0;
        totals.unchangedFullPairs += unchanged && full ? 1 : 0;
    }

    /*
     * Leaves show where one request fewer decodes and none can have come. Unchanged pairs are the exposure: both need that
     * nobody joined, so the ratio is the chance to leave, however joins are bunched.
     */
    private void countContexts(long before, long change, long contextChange) {
        if (change == 0 && contextChange == 0) {
            totals.exposedTokens += before;
        } else if (change == -1 && contextChange < 0) {
            totals.loneLeavers++;
        } else if (change == 1) {
            totals.joinedSquares += before * before;
        }
        if (change == 1 && contextChange > 0 && lastStep.scheduledPrefillRequests() == 0) {
            totals.addJoiner(contextChange);
        }
    }

    LivenessState state(long nowNanos, LivenessSettings liveness) {
        double silence = silenceSeconds(nowNanos);
        if (silence > liveness.goneAfterSeconds()
                || isReplaced(seat, silence, REPLACED_AFTER_SECONDS)
                || isReplaced(returnSeat, silence, RETURNED_AFTER_SECONDS)) {
            return LivenessState.GONE;
        }
        return silence > liveness.staleAfterSeconds() ? LivenessState.STALE : LivenessState.LIVE;
    }

    double silenceSeconds(long nowNanos) {
        return Math.max(0, nowNanos - newestReceivedNanos) / 1e9;
    }

    /** Whether something has waited for room in the cache for several steps. */
    boolean isBlocked() {
        return blockedInRow >= BLOCKED_STEPS;
    }

    SpeedEstimate speed() {
        return speed;
    }

    /** Seats the rank; the second is where it would be again if it came back, null if that cannot be told. */
    void sit(Seat own, @Nullable Seat onReturn) {
        seat = own;
        returnSeat = onReturn;
        takeSeats();
    }

    void takeSeats() {
        if (seat != null) {
            seat.take(this);
        }
        if (returnSeat != null) {
            returnSeat.take(this);
        }
    }

    private boolean isReplaced(@Nullable Seat place, double silence, double afterSeconds) {
        return place != null && silence > afterSeconds && place.newestStartNanos() > newestReceivedNanos;
    }

    long firstReceivedNanos() {
        return firstReceivedNanos;
    }

    /** Whether nothing runs and nothing waits, as far as frames can prove it. */
    private boolean isIdle() {
        return !stepKnown
                || idleProven
                || heartbeatsInRow >= HEARTBEATS_THAT_PROVE_IDLE
                || (heartbeatsInRow > 0 && !budget.leavesWork(lastStep) && standing.requests() <= 1);
    }

    /** What the rank has to do at the given moment. */
    RankLoad load(long nowNanos, PoolLoad.Traffic traffic) {
        return isIdle()
                ? RankLoad.idle(silenceSeconds(nowNanos))
                : budget.loadAfter(lastStep, standing, nowNanos, traffic);
    }

    /** Closes a tick: what was done and how the queue has changed since the tick before goes to the pool's sums. */
    void closeTick(PoolTick tick, RankLoad load, TickTotals poolTotals) {
        tick.grow(
                load.queuedPrefillTokens() - tickQueueTokens,
                load.queuedPrefillRequests() - tickQueueRequests,
                load.queuedDecodeRequests() - tickDecodeQueue);
        totals.addWaiting(load);
        queueWatch.tick(tick.nowNanos, load.queuedPrefillRequests());
        traffic.add(tick, totals, load.decodeRequests());
        tickQueueTokens = load.queuedPrefillTokens();
        tickQueueRequests = load.queuedPrefillRequests();
        tickDecodeQueue = load.queuedDecodeRequests();
        handOver(poolTotals);
    }

    /** Gives what was done since the tick before to the pool's totals. */
    void handOver(TickTotals poolTotals) {
        poolTotals.addAll(totals);
        totals.clear();
    }

    private RankWorkload workload(RankReading reading) {
        return traffic.workload(new FlowBalance.Moment(
                reading.load.decodeRequests(), reading.load.decodeKvTokens(), reading.kvCapacity, reading.gapSeconds));
    }

    /** Hands over the waits that were seen to end. */
    void takeWaits(List<SeenLatency.Wait> into) {
        into.addAll(waits);
        waits.clear();
    }

    private void forgetQueue() {
        queueWatch.clear();
        standingSeconds = 0;
        tickQueueTokens = 0;
        tickQueueRequests = 0;
        tickDecodeQueue = 0;
    }

    RankView view(long nowNanos, RankReading reading) {
        RankCounters counters = new RankCounters(
                framesReceived,
                stepsLearned,
                repeatedSteps,
                heartbeats,
                dummySteps,
                untimedSteps,
                implausible,
                framesLost,
                restarts);
        return new RankView(
                last.endpoint(),
                last.publisherId(),
                last.workerId(),
                last.dpRank(),
                reading.state,
                incarnation,
                counters,
                position,
                newestReceivedNanos,
                last.view(),
                reading.load,
                workload(reading),
                window.mix(nowNanos),
                speed.view(),
                Optional.ofNullable(reading.kv));
    }
}
