/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import io.fpmplanner.sim.fleet.Fleet;
import io.fpmplanner.sim.fleet.PoolLoad;
import io.fpmplanner.sim.policy.Autoscaler;
import io.fpmplanner.sim.policy.FleetObservation;
import io.fpmplanner.sim.policy.FrontEndWindow;
import io.fpmplanner.sim.policy.PoolDecision;
import io.fpmplanner.sim.policy.PoolObservation;
import io.fpmplanner.sim.policy.PoolTask;
import io.fpmplanner.sim.policy.PublishedFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One run, second by second: the fleet goes on, the policy is asked, its orders are carried out. Not threadsafe. */
final class FleetRun {
    private static final long SECOND_NANOS = 1_000_000_000L;
    /** Enough for a plot, few enough to keep those of a whole board. */
    private static final int MOST_MOMENTS = 240;

    private final RunStage stage;
    private final Autoscaler autoscaler;
    private final RequestLedger requests;
    private final ScaleLedger scaling = new ScaleLedger();
    private final FrameTap tap = new FrameTap();
    private final List<Timeline.Moment> moments = new ArrayList<>();
    private final int seconds;
    private final int momentSeconds;
    private double gpuSeconds;
    private long arrivedBefore;
    private int ttftBefore;
    private int itlBefore;

    FleetRun(RunStage stage, Autoscaler autoscaler) {
        this.stage = stage;
        this.autoscaler = autoscaler;
        this.requests = new RequestLedger(stage.scenario().objective());
        this.seconds = stage.scenario().timing().seconds();
        this.momentSeconds = (seconds + MOST_MOMENTS - 1) / MOST_MOMENTS;
    }

    void play() {
        try (Fleet fleet = new Fleet(stage.fleet(autoscaler), tap.channels(autoscaler.readsFrames()), requests)) {
            for (int second = 1; second <= seconds; second++) {
                fleet.advanceTo(second * SECOND_NANOS);
                if (second % momentSeconds == 0) {
                    moments.add(moment(second, fleet));
                }
                if (second % autoscaler.intervalSeconds() == 0) {
                    decide(second, fleet);
                }
            }
            gpuSeconds = stage.task().pools().stream()
                    .mapToDouble(pool -> fleet.load(pool.id()).gpuSeconds().total())
                    .sum();
        }
    }

    RunScore score() {
        return requests.score(gpuSeconds, scaling.changes().size(), scaling.reversals());
    }

    Timeline timeline() {
        return new Timeline(moments, scaling.changes());
    }

    private boolean isOut(int second) {
        return stage.scenario().faults().stream().anyMatch(fault -> fault.silencesAt(second));
    }

    private void decide(int second, Fleet fleet) {
        boolean out = isOut(second);
        FrontEndWindow window = requests.takeWindow(autoscaler.intervalSeconds());
        List<PublishedFrame> frames = tap.take();
        List<PoolObservation> pools = stage.task().pools().stream()
                .map(pool -> observe(pool.id(), fleet.load(pool.id()), out))
                .toList();
        FleetObservation observation = new FleetObservation(
                second * SECOND_NANOS, pools, out ? Optional.empty() : Optional.of(window), frames);
        for (PoolDecision decision : autoscaler.decide(observation)) {
            carryOut(second, fleet, decision, pools);
        }
    }

    private static PoolObservation observe(String poolId, PoolLoad load, boolean out) {
        return new PoolObservation(
                poolId,
                load.ready(),
                load.pending(),
                load.draining(),
                out ? Optional.empty() : Optional.of(new PoolObservation.Load(load.running(), load.waiting())));
    }

    private void carryOut(int second, Fleet fleet, PoolDecision decision, List<PoolObservation> pools) {
        PoolTask task = pool(decision.poolId());
        int desired = task.clip(decision.desired());
        int ordered = pools.stream()
                .filter(pool -> pool.id().equals(decision.poolId()))
                .mapToInt(PoolObservation::ordered)
                .sum();
        if (desired != ordered) {
            scaling.add(new Timeline.Change(second, decision.poolId(), ordered, desired, decision.reason()));
            fleet.scaleTo(decision.poolId(), desired);
        }
    }

    private PoolTask pool(String id) {
        return stage.task().pools().stream()
                .filter(pool -> pool.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a policy decided on a pool '" + id + "' that is not"));
    }

    private Timeline.Moment moment(int second, Fleet fleet) {
        long arrived = requests.arrived();
        Timeline.Moment moment = new Timeline.Moment(
                second,
                (double) (arrived - arrivedBefore) / momentSeconds,
                requests.ttft().quantileFrom(ttftBefore, 0.9),
                requests.itl().quantileFrom(itlBefore, 0.9),
                stage.task().pools().stream()
                        .map(pool -> poolMoment(pool.id(), fleet.load(pool.id())))
                        .toList());
        arrivedBefore = arrived;
        ttftBefore = requests.ttft().size();
        itlBefore = requests.itl().size();
        return moment;
    }

    private static Timeline.PoolMoment poolMoment(String poolId, PoolLoad load) {
        return new Timeline.PoolMoment(
                poolId, load.ready(), load.ready() + load.pending() + load.draining(), load.waiting());
    }
}
