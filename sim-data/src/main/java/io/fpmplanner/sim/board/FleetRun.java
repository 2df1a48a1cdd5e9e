/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import io.fpmplanner.sim.fleet.Fleet;
import io.fpmplanner.sim.fleet.PoolState;
import io.fpmplanner.sim.policy.Autoscaler;
import io.fpmplanner.sim.policy.FleetObservation;
import io.fpmplanner.sim.policy.FrontEndWindow;
import io.fpmplanner.sim.policy.PoolDecision;
import io.fpmplanner.sim.policy.PoolObservation;
import io.fpmplanner.sim.policy.PoolTask;
import io.fpmplanner.sim.policy.PublishedFrame;
import io.fpmplanner.sim.scenario.Fault;
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
    private final FrameTap tap;
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
        this.tap = new FrameTap(autoscaler.readsFrames());
        this.seconds = stage.scenario().timing().seconds();
        this.momentSeconds = (seconds + MOST_MOMENTS - 1) / MOST_MOMENTS;
    }

    void play() {
        try (Fleet fleet = new Fleet(stage.fleet(autoscaler), tap, requests)) {
            tap.follow(fleet::nowNanos);
            List<PoolState> states = fleet.state();
            for (int second = 1; second <= seconds; second++) {
                for (PoolState state : states) {
                    gpuSeconds += state.ready() + state.pending() + state.draining();
                }
                tap.setOut(isOut(second - 1));
                fleet.advanceTo(second * SECOND_NANOS);
                tap.beatHearts(second * SECOND_NANOS);
                states = fleet.state();
                if (second % momentSeconds == 0) {
                    moments.add(moment(second, states));
                }
                if (second % autoscaler.intervalSeconds() == 0) {
                    decide(second, fleet, states);
                    states = fleet.state();
                }
            }
        }
    }

    RunScore score() {
        return requests.score(gpuSeconds, scaling.changes().size(), scaling.reversals());
    }

    Timeline timeline() {
        return new Timeline(moments, scaling.changes());
    }

    private boolean isOut(int second) {
        for (Fault fault : stage.scenario().faults()) {
            if (fault instanceof Fault.TelemetryOutage outage
                    && second >= outage.fromSeconds()
                    && second < outage.toSeconds()) {
                return true;
            }
        }
        return false;
    }

    private void decide(int second, Fleet fleet, List<PoolState> states) {
        boolean out = isOut(second);
        FrontEndWindow window = requests.takeWindow(autoscaler.intervalSeconds());
        List<PublishedFrame> frames = tap.take();
        List<PoolObservation> pools =
                states.stream().map(state -> observe(state, out)).toList();
        FleetObservation observation = new FleetObservation(
                second * SECOND_NANOS, pools, out ? Optional.empty() : Optional.of(window), frames);
        for (PoolDecision decision : autoscaler.decide(observation)) {
            carryOut(second, fleet, decision, pools);
        }
    }

    private static PoolObservation observe(PoolState state, boolean out) {
        return new PoolObservation(
                state.id(),
                state.ready(),
                state.pending(),
                state.draining(),
                out ? Optional.empty() : Optional.of(new PoolObservation.Load(state.running(), state.waiting())));
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

    private Timeline.Moment moment(int second, List<PoolState> states) {
        long arrived = requests.arrived();
        Timeline.Moment moment = new Timeline.Moment(
                second,
                (double) (arrived - arrivedBefore) / momentSeconds,
                requests.ttft().quantileFrom(ttftBefore, 0.9),
                requests.itl().quantileFrom(itlBefore, 0.9),
                states.stream()
                        .map(state -> new Timeline.PoolMoment(
                                state.id(),
                                state.ready(),
                                state.ready() + state.pending() + state.draining(),
                                state.waiting()))
                        .toList());
        arrivedBefore = arrived;
        ttftBefore = requests.ttft().size();
        itlBefore = requests.itl().size();
        return moment;
    }
}
