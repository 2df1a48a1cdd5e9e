/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.core.kv.KvReport;
import io.fpmplanner.models.StepTimeSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known of one pool, kept up frame by frame and shown as a {@link PoolView} once per tick.
 *
 * <p>One writer, not threadsafe. Taking a frame of a known rank allocates nothing (until its window is grown) and costs
 * O(1). Reads no clock: time is in the frames and in the argument of {@link #tick}.
 */
public final class Pool {
    /* Gone ranks stay visible for this many gone-times, so that an operator can see who vanished. */
    private static final double REMEMBERED_GONE_TIMES = 10;

    /* Room is looked for once a second at most, or a flood of new ranks would cost a look at all ranks per frame. */
    private static final long ROOM_NANOS = 1_000_000_000L;

    private PoolSettings settings;
    private final StepBudget budget;
    private final RankTable ranks = new RankTable();
    private final EndpointBook endpoints;
    private final KvBook kv;
    private final ScopedModels models;
    private final GapEstimator gaps = new GapEstimator();
    private final TickTotals totals = new TickTotals();
    private ItlBounds itlBounds = ItlBounds.NONE;
    private final TrafficEstimator traffic;
    private final HeardTime heard;
    /** Change of the queues since the last tick that told of some time. */
    private final double[] growth = new double[3];

    private final KvCapacity kvCapacity;
    private final WorkerGrouping grouping = new WorkerGrouping();

    private final RememberedSpeeds rememberedSpeeds = new RememberedSpeeds();
    private final ToldOfPool told;
    private boolean everSeen;
    private boolean ticked;
    private long lastTickNanos;
    private long ranksRefused;
    private long roomSoughtNanos = Long.MIN_VALUE;

    public Pool(PoolSettings settings) {
        this(settings, StepListener.NONE);
    }

    /** A pool whose steps are also shown to a listener. */
    public Pool(PoolSettings settings, StepListener listener) {
        this.settings = settings;
        this.endpoints = new EndpointBook(2 * settings.ranks().max());
        this.kv = new KvBook(2 * settings.ranks().max());
        this.models = new ScopedModels(StepTimeSettings.defaults(), settings.prior(), listener);
        this.budget = new StepBudget(settings.role(), settings.limits());
        this.traffic = new TrafficEstimator(settings.role());
        this.kvCapacity = new KvCapacity(kv);
        this.told = new ToldOfPool(settings.role());
        this.heard = new HeardTime(settings.liveness().staleAfterSeconds());
    }

    /** Takes in an accepted frame, which is not kept. */
    public void onFrame(FpmFrame frame) {
        Rank rank = ranks.find(frame);
        if (rank == null) {
            rank = addRank(frame);
            if (rank == null) {
                return;
            }
        }
        rank.endpointCounts().accepted();
        everSeen = true;
        boolean accepted = rank.accept(frame, gaps);
        heard.hear(accepted ? frame.wallTimeSeconds() : 0);
        if (accepted) {
            if (rank.isBlocked()) {
                kvCapacity.addBlocked(frame);
            }
            rank.group().learn(rank, frame, models, ranks.size() > 1);
        }
    }

    /** What was learned and should outlive a restart. Allocates; meant to be called every few seconds. */
    public PoolMemory memory() {
        return new PoolMemory(models.memory(), RememberedSpeeds.of(ranks.all()));
    }

    /** Goes on from what was learned before a restart; to be called before the first frame. */
    public void restore(PoolMemory memory) {
        models.restore(memory.models());
        rememberedSpeeds.add(memory.speeds(), settings.ranks().max());
    }

    private @Nullable Rank addRank(FpmFrame frame) {
        EndpointBook.Counts endpoint = endpoints.of(frame.endpoint());
        if (isFull(endpoint)) {
            makeRoom(frame.receivedNanos());
        }
        if (isFull(endpoint)) {
            ranksRefused++;
            endpoint.refused();
            return null;
        }
        Rank rank = ranks.add(frame, budget, endpoint);
        rememberedSpeeds.recall(rank, frame);
        rank.expectItl(itlBounds);
        return rank;
    }

    private boolean isFull(EndpointBook.Counts endpoint) {
        return ranks.size() >= settings.ranks().max()
                || endpoint.ranks() >= settings.ranks().maxPerEndpoint();
    }

    private void makeRoom(long nowNanos) {
        if (roomSoughtNanos != Long.MIN_VALUE && Math.abs(nowNanos - roomSoughtNanos) < ROOM_NANOS) {
            return;
        }
        roomSoughtNanos = nowNanos;
        ranks.removeIf(rank -> rank.state(nowNanos, settings.liveness()) == LivenessState.GONE);
    }

    /**
     * Takes in what an engine says of its KV cache and load apart from frames.
     *
     * @param endpoint where it came from
     * @param receivedNanos arrival, on the same clock as frames
     */
    public void onKv(String endpoint, KvReport report, long receivedNanos) {
        kv.accept(endpoint, report, receivedNanos);
    }

    /** Counts a message that was no frame. */
    public void onReject(String endpoint, RejectReason reason) {
        endpoints.rejected(endpoint, reason);
    }

    /** Says what replicas there are; wins over what frames tell until it expires or is withdrawn with null. */
    public void supplyFleet(@Nullable SuppliedFleet fleet) {
        told.fleet(fleet);
    }

    /**
     * Says what requests are like on average, until the given moment; wins over what frames tell.
     *
     * @param validUntilNanos end of it, on the caller's clock
     */
    public void supplyTraffic(SuppliedTraffic traffic, long validUntilNanos) {
        told.workload(SuppliedWorkload.of(traffic, validUntilNanos));
    }

    /** As configured, with the limits in force. */
    public PoolSettings settings() {
        return settings;
    }

    /** The limits of one rank in force. */
    public EngineLimits limits() {
        return settings.limits();
    }

    /** Changes the limits of one rank, as an engine may tell them late. */
    public void supplyLimits(EngineLimits limits) {
        settings = settings.withLimits(limits);
        budget.limits(limits);
    }

    /** Takes what was predicted of the time between tokens until the next tick, to count what comes within it. */
    public void expectItl(ItlBounds predicted) {
        double gap = gaps.medianSeconds();
        itlBounds = new ItlBounds(predicted.p50() - gap, predicted.p90() - gap, predicted.p99() - gap);
        ranks.all().forEach(rank -> rank.expectItl(itlBounds));
    }

    /** Says what requests come; wins over what frames tell until it expires or is withdrawn with null. */
    public void supplyWorkload(@Nullable SuppliedWorkload workload) {
        told.workload(workload);
    }

    /** The pool at the given moment. A moment before the previous tick counts as no time passed. */
    public PoolView tick(long nowNanos) {
        long tickNanos = ticked ? Math.max(0, nowNanos - lastTickNanos) : 0;
        forgetLongGone(nowNanos);
        ranks.groups().forEach(group -> group.flush(models, ranks.size() > 1));
        told.forgetExpired(nowNanos);
        PoolTick tick = new PoolTick(nowNanos, tickNanos, gaps.medianSeconds());
        List<RankReading> readings = readings(nowNanos);
        SharedQueue.spread(readings);
        kv.tell(readings);
        Quantity ofRank = kvCapacity.ofRank(settings.limits());
        List<RankView> views = views(readings, tick, ofRank);
        PoolLoad load = load(tick);
        ticked = true;
        lastTickNanos = Math.max(lastTickNanos, nowNanos);
        List<WorkerView> workers = grouping.group(views, ranks.version());
        compareSpeeds(views);
        return new PoolView(
                kvCapacity.into(settings),
                nowNanos,
                fleet(workers),
                workers,
                endpointViews(views),
                load,
                workload(tick, ofRank),
                models.view(),
                counters(views),
                new PoolView.Doubts(ranksRefused, models.refused()),
                kv.summary(readings, nowNanos, settings.liveness().goneAfterSeconds()));
    }

    private RankCounters counters(List<RankView> views) {
        RankCounters sum = ranks.left();
        for (RankView rank : views) {
            sum = sum.plus(rank.counters());
        }
        return sum;
    }

    private List<RankView> views(List<RankReading> readings, PoolTick tick, Quantity kvCapacityOfRank) {
        List<RankView> views = new ArrayList<>(readings.size());
        for (RankReading reading : readings) {
            if (reading.state == LivenessState.LIVE) {
                reading.rank.closeTick(tick, reading.load, totals);
                reading.rank.takeWaits(tick.waits);
            } else {
                reading.rank.handOver(totals);
            }
            reading.kvCapacity = kvCapacityOfRank;
            reading.gapSeconds = tick.gapSeconds;
            RankView view = reading.view(tick.nowNanos);
            views.add(view);
            if (view.state() == LivenessState.LIVE) {
                tick.add(view);
            }
        }
        return views;
    }

    private List<RankReading> readings(long nowNanos) {
        PoolLoad.Traffic known = told.over(traffic.traffic());
        List<RankReading> readings = new ArrayList<>(ranks.size());
        for (Rank rank : ranks.all()) {
            RankReading reading = new RankReading(rank, rank.state(nowNanos, settings.liveness()));
            reading.load = rank.load(nowNanos, known);
            readings.add(reading);
        }
        return readings;
    }

    private WorkloadView workload(PoolTick tick, Quantity kvCapacityOfRank) {
        return told.over(traffic.workload(new FlowBalance.Moment(
                tick.running,
                tick.runningKvTokens,
                KvCapacity.ofRanks(kvCapacityOfRank, tick.ranks),
                tick.gapSeconds)));
    }

    private PoolLoad load(PoolTick sum) {
        long heardNanos = heard.close(sum.tickNanos, sum.ranks);
        if (sum.ranks == 0) {
            Arrays.fill(growth, 0);
        } else {
            for (int i = 0; i < growth.length; i++) {
                growth[i] += sum.growth[i];
            }
            if (heardNanos > 0 || sum.tickNanos == 0) {
                traffic.add(sum.nowNanos, heardNanos, totals, growth, sum.running);
            }
            traffic.addInside(sum.ranks, sum.inside, sum.insideSquares);
        }
        PoolLoad.Traffic kind = told.over(traffic.traffic());
        double uncached = 1 - kind.cachedShare().orElse(0);
        PoolLoad.Tick tick = new PoolLoad.Tick(
                heardNanos / 1e9,
                totals.prefillTokens,
                settings.role() == Role.DECODE ? totals.decodeJoined : totals.prefillsCompleted,
                totals.decodeTokens,
                growth[0] * uncached,
                growth[1],
                growth[2],
                totals.steps);
        SeenLatency seen = totals.seen(sum.gapSeconds, sum.waits);
        totals.clear();
        if (heardNanos > 0) {
            Arrays.fill(growth, 0);
        }
        return new PoolLoad(
                sum.running,
                sum.runningKvTokens,
                sum.queuedPrefillRequests,
                sum.queuedPrefillTokens,
                sum.queuedDecodeRequests,
                sum.queuedDecodeKvTokens,
                sum.busyShare(),
                sum.gapSeconds,
                tick,
                kind,
                told.traffic(),
                seen);
    }

    /** Views are in the order of the ranks. What comes out shows at the next tick. */
    private void compareSpeeds(List<RankView> views) {
        List<List<SpeedEstimate>> present = new ArrayList<>(grouping.groups().size());
        for (int[] group : grouping.groups()) {
            List<SpeedEstimate> speeds = new ArrayList<>(group.length);
            for (int place : group) {
                if (views.get(place).state() != LivenessState.GONE) {
                    speeds.add(ranks.all().get(place).speed());
                }
            }
            present.add(speeds);
        }
        SpeedComparison.judge(present);
    }

    private void forgetLongGone(long nowNanos) {
        double horizon = REMEMBERED_GONE_TIMES * settings.liveness().goneAfterSeconds();
        ranks.removeIf(rank -> rank.silenceSeconds(nowNanos) > horizon);
        kv.forget(nowNanos, horizon);
    }

    private FleetView fleet(List<WorkerView> workers) {
        Map<LivenessState, Integer> counts = new EnumMap<>(LivenessState.class);
        workers.forEach(worker -> counts.merge(worker.state(), 1, Integer::sum));
        return told.over(new FleetView(
                counts.getOrDefault(LivenessState.LIVE, 0),
                counts.getOrDefault(LivenessState.STALE, 0),
                counts.getOrDefault(LivenessState.GONE, 0),
                WorkerGrouping.ranksPerWorker(workers),
                everSeen,
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Strays.newcomers(workers)));
    }

    private List<EndpointView> endpointViews(List<RankView> views) {
        List<EndpointView> result = new ArrayList<>(endpoints.all().size());
        for (int i = 0; i < views.size(); i++) {
            ranks.all().get(i).endpointCounts().note(views.get(i).state());
        }
        endpoints.all().forEach((name, counts) -> result.add(counts.view(name)));
        return result;
    }
}
