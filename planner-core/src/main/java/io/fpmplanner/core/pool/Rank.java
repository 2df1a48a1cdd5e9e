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

    /* A new worker on the endpoint of one that missed its second heartbeat has replaced it. */
    private static final double REPLACED_AFTER_SECONDS = 2.5;

    /* One that came back under its name from another port has after it missed one. */
    private static final double RETURNED_AFTER_SECONDS = 1.2;

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
    private final StepTally tally;
    private final StandingBatch standing;
    private final QueueWatch queueWatch = new QueueWatch();
    private final List<SeenLatency.Wait> waits = new ArrayList<>();
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
    private final StreamPosition position = new StreamPosition();

    private final RankCount counted = new RankCount();
    private long sharedStep;
    private final QueueLevel queue = new QueueLevel();

    Rank(FpmFrame first, StepBudget budget, EndpointBook.Counts endpointCounts, RankGroup group) {
        this.budget = budget;
        this.endpointCounts = endpointCounts;
        this.group = group;
        this.traffic = new RankTraffic(budget.role());
        this.standing = new StandingBatch(budget);
        this.tally = new StepTally(budget, standing);
        this.firstReceivedNanos = first.receivedNanos();
        this.newestReceivedNanos = firstReceivedNanos;
        last.set(first);
    }

    /** Tokens are counted by these from now on, the gap between steps left out. */
    void expectItl(ItlBounds bounds) {
        tally.expectItl(bounds);
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
        counted.repeatedSteps++;
    }

    /** Counts a step of this rank that trained the model. */
    void learned() {
        counted.stepsLearned++;
    }

    /**
     * Takes a frame in.
     *
     * @return whether it is a measured step to learn from
     */
    boolean accept(FpmFrame frame, GapEstimator gaps) {
        counted.framesReceived++;
        newestReceivedNanos = Math.max(newestReceivedNanos, frame.receivedNanos());
        StreamPosition.Move move = position.moveTo(frame.streamPosition());
        if (move == StreamPosition.Move.RESTARTED) {
            restart();
        }
        long elapsedNanos = frame.receivedNanos() - last.receivedNanos();
        boolean learn = false;
        boolean step = false;
        if (!frame.isPlausible() || !budget.allows(frame)) {
            counted.implausible++;
        } else if (frame.isHeartbeat()) {
            counted.heartbeats++;
            heartbeatsInRow++;
            if (isIdle()) {
                standing.clear();
            }
        } else if (frame.isAllZero()) {
            counted.dummySteps++;
            idleProven = true;
            standing.clear();
        } else {
            learn = acceptWork(frame, move == StreamPosition.Move.NEXT, elapsedNanos, gaps);
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

    private void restart() {
        counted.restarts++;
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
            counted.untimedSteps++;
        }
        if (frame.hasWork()) {
            boolean backToBack = consecutive && stepKnown && heartbeatsInRow == 0 && !idleProven;
            boolean stayedBusy = budget.leavesWork(lastStep) || continues(frame);
            if (backToBack && timed && lastStep.wallTimeSeconds() > 0 && stayedBusy) {
                gaps.add(elapsedNanos, (long) (frame.wallTimeSeconds() * 1e9));
            }
            count(frame, elapsedNanos, backToBack);
        }
        standing.add(frame);
        blockedInRow = KvLevel.isBlocked(frame, budget.limits(), budget.role()) ? blockedInRow + 1 : 0;
        stepKnown = true;
        idleProven = false;
        heartbeatsInRow = 0;
        return timed && frame.hasWork();
    }

    /** Whether the step decodes just the requests of the previous one, each a token longer. */
    private boolean continues(FpmFrame frame) {
        long batch = frame.scheduledDecodeRequests();
        long growth = frame.scheduledDecodeKvTokens() - lastStep.scheduledDecodeKvTokens();
        return batch > 0 && batch == lastStep.scheduledDecodeRequests() && growth == batch;
    }

    private void count(FpmFrame frame, long elapsedNanos, boolean backToBack) {
        long missed = position.missedBefore();
        long steps = budget.stepsRepresented(frame, elapsedNanos, missed);
        tally.add(frame, steps, budget.decodesRepresented(frame, elapsedNanos, missed));
        long begun = frame.scheduledPrefillRequests() - (stepKnown && budget.cutsPrompt(lastStep) ? 1 : 0);
        queueWatch.add(frame, steps * Math.max(0, begun), waits);
        if (backToBack) {
            tally.addChange(lastStep, frame);
        }
        window.add(frame, budget.completedPrefills(frame));
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
        queue.moveTo(load, tick);
        tally.totals().addWaiting(load);
        queueWatch.tick(tick.nowNanos, load.queuedPrefillRequests());
        traffic.add(tick, tally.totals(), load.decodeRequests());
        handOver(poolTotals);
    }

    /** Gives what was done since the tick before to the pool's totals. */
    void handOver(TickTotals poolTotals) {
        poolTotals.addAll(tally.totals());
        tally.totals().clear();
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
        tally.forgetStanding();
        queue.clear();
    }

    RankCounters counters() {
        return counted.view(position.framesLost());
    }

    RankView view(long nowNanos, RankReading reading) {
        return new RankView(
                last.endpoint(),
                last.publisherId(),
                last.workerId(),
                last.dpRank(),
                reading.state,
                incarnation,
                counters(),
                position.newest(),
                newestReceivedNanos,
                last.view(),
                reading.load,
                workload(reading),
                window.mix(nowNanos),
                speed.view(),
                Optional.ofNullable(reading.kv));
    }
}
