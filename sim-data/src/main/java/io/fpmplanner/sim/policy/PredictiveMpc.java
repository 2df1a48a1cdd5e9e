/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import io.fpmplanner.sim.engine.EngineKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The published model-predictive controller: offline tables of one engine, an order book of replicas to come, a forecast of
 * arrivals, and the fleet with the most good requests for its GPU time over the horizon.
 *
 * <p>Without the front end's figures it changes nothing.
 */
public final class PredictiveMpc implements Autoscaler {
    /*
     * Public description: "cloudai-mpc" of NVIDIA's Planner Gym with its ablation (saturated capacity, order book,
     * model-based scale-down, ratio objective with ITL, binned forecaster). Horizon: the cold start in bins and five more.
     * Fewer replicas only with nothing on order, at most 0.75 of capacity used and TTFT below half its limit in each step
     * under the 80th percentile, for one cold start. What is not public (the weights of lengths and of the online bias) is
     * ours. Both pools of a pair are searched together, within 8 x 8.
     */
    private static final int BIN_SECONDS = 15;
    private static final int STEPS_BEYOND = 5;
    private static final double SAFE_UTILISATION = 0.75;
    private static final double SAFE_TTFT_SHARE = 0.5;
    private static final double LENGTH_WEIGHT = 0.3;
    private static final int WIDEST_PAIR = 8;

    private final ScalingTask task;
    private final ArrivalForecast forecast = new ArrivalForecast(BIN_SECONDS);
    private final Map<String, List<Long>> orders = new HashMap<>();
    private final Map<String, Double> bias = new HashMap<>();
    private double inputTokens = Double.NaN;
    private double outputTokens = Double.NaN;
    private long safeSinceNanos = Long.MAX_VALUE;

    public PredictiveMpc(ScalingTask task) {
        this.task = task;
        task.pools().forEach(pool -> {
            orders.put(pool.id(), new ArrayList<>());
            bias.put(pool.id(), 1.0);
        });
    }

    @Override
    public int intervalSeconds() {
        return BIN_SECONDS;
    }

    @Override
    public List<PoolDecision> decide(FleetObservation observation) {
        Optional<FrontEndWindow> frontEnd = observation.frontEnd();
        if (frontEnd.isEmpty()) {
            return List.of();
        }
        learn(frontEnd.get(), observation);
        if (Double.isNaN(inputTokens)) {
            return List.of();
        }
        List<int[]> candidates = candidates();
        int[] now =
                observation.pools().stream().mapToInt(PoolObservation::ordered).toArray();
        int[] best = now;
        MpcOutlook bestOutlook = outlook(observation, now, false);
        for (int[] candidate : candidates) {
            MpcOutlook outlook = outlook(observation, candidate, false);
            if (outlook.betterThan(bestOutlook)) {
                best = candidate;
                bestOutlook = outlook;
            }
        }
        return order(observation, now, guard(observation, now, best), bestOutlook);
    }

    private void learn(FrontEndWindow window, FleetObservation observation) {
        forecast.add((double) window.arrived());
        if (window.arrived() > 0) {
            inputTokens = blend(inputTokens, (double) window.inputTokens() / window.arrived());
        }
        if (window.finished() > 0) {
            outputTokens = blend(outputTokens, (double) window.outputTokens() / window.finished());
        } else if (Double.isNaN(outputTokens)) {
            outputTokens = 1;
        }
        for (int i = 0; i < task.pools().size(); i++) {
            PoolObservation seen = observation.pools().get(i);
            boolean saturated = seen.load().map(load -> load.waiting() > 0).orElse(false);
            double expected = seen.ready()
                    * MpcEngine.of(task, i, inputTokens, outputTokens, 1).requestsPerSecond();
            if (saturated && expected > 0 && window.finished() > 0) {
                double measured = window.finished() / window.seconds() / expected;
                double clipped = Math.max(0.5, Math.min(2, measured));
                bias.merge(task.pools().get(i).id(), clipped, PredictiveMpc::blend);
            }
        }
        orders.values().forEach(times -> times.removeIf(time -> time <= observation.nowNanos()));
    }

    private static double blend(double before, double now) {
        return Double.isNaN(before) ? now : before + LENGTH_WEIGHT * (now - before);
    }

    private List<int[]> candidates() {
        List<int[]> candidates = new ArrayList<>();
        PoolTask first = task.pools().get(0);
        if (task.pools().size() == 1) {
            for (int n = first.minReplicas(); n <= first.maxReplicas(); n++) {
                candidates.add(new int[] {n});
            }
            return candidates;
        }
        PoolTask second = task.pools().get(1);
        for (int n = first.minReplicas(); n <= Math.min(WIDEST_PAIR, first.maxReplicas()); n++) {
            for (int m = second.minReplicas(); m <= Math.min(WIDEST_PAIR, second.maxReplicas()); m++) {
                candidates.add(new int[] {n, m});
            }
        }
        return candidates;
    }

    /** A smaller pool only when that has been safe for a cold start and nothing is on order. */
    private int[] guard(FleetObservation observation, int[] now, int[] best) {
        boolean shrinks = false;
        for (int i = 0; i < now.length; i++) {
            shrinks |= best[i] < now[i];
        }
        boolean nothingOrdered = observation.pools().stream().allMatch(pool -> pool.starting() == 0);
        boolean safe =
                shrinks && nothingOrdered && outlook(observation, best, true).safe();
        if (!safe) {
            safeSinceNanos = Long.MAX_VALUE;
        } else if (safeSinceNanos == Long.MAX_VALUE) {
            safeSinceNanos = observation.nowNanos();
        }
        double coldStart = task.pools().get(0).coldStartSeconds();
        boolean held = safe && observation.nowNanos() - safeSinceNanos >= coldStart * 1e9;
        int[] guarded = best.clone();
        for (int i = 0; i < now.length; i++) {
            guarded[i] = held ? best[i] : Math.max(best[i], now[i]);
        }
        return guarded;
    }

    private List<PoolDecision> order(FleetObservation observation, int[] now, int[] wanted, MpcOutlook outlook) {
        List<PoolDecision> decisions = new ArrayList<>();
        String reason = String.format(
                Locale.ROOT,
                "%.2f requests/s forecast, %.0f %% good for %.1f GPUs on the horizon",
                forecast.mean(1),
                100 * outlook.goodShare(),
                outlook.meanGpus());
        for (int i = 0; i < now.length; i++) {
            PoolTask pool = task.pools().get(i);
            List<Long> times = orders.getOrDefault(pool.id(), List.of());
            for (int n = now[i]; n < wanted[i]; n++) {
                times.add(observation.nowNanos() + (long) (pool.coldStartSeconds() * 1e9));
            }
            for (int n = wanted[i]; n < now[i] && !times.isEmpty(); n++) {
                times.remove(times.size() - 1);
            }
            decisions.add(new PoolDecision(pool.id(), wanted[i], reason));
        }
        return decisions;
    }

    /** Plays the queue balance forward with a fleet. */
    private MpcOutlook outlook(FleetObservation observation, int[] fleet, boolean upper) {
        int pools = fleet.length;
        double coldStart = task.pools().get(0).coldStartSeconds();
        int steps = (int) Math.ceil(coldStart / BIN_SECONDS) + STEPS_BEYOND;
        MpcEngine[] engines = new MpcEngine[pools];
        double[] queues = new double[pools];
        for (int i = 0; i < pools; i++) {
            double factor = bias.getOrDefault(task.pools().get(i).id(), 1.0);
            engines[i] = MpcEngine.of(task, i, inputTokens, outputTokens, factor);
            queues[i] = observation
                    .pools()
                    .get(i)
                    .load()
                    .map(load -> (double) load.waiting())
                    .orElse(0.0);
        }
        MpcOutlook outlook = new MpcOutlook(task.objective(), SAFE_UTILISATION, SAFE_TTFT_SHARE);
        for (int step = 1; step <= steps; step++) {
            long atNanos = observation.nowNanos() + 1_000_000_000L * BIN_SECONDS * step;
            double rate = upper ? forecast.upper(step) : forecast.mean(step);
            double flow = rate;
            double ttft = 0;
            double itl = 0;
            double utilisation = 0;
            for (int i = 0; i < pools; i++) {
                int ready = ready(observation, i, fleet[i], atNanos);
                double capacity = ready * engines[i].requestsPerSecond();
                utilisation = Math.max(utilisation, capacity > 0 ? flow / capacity : Double.POSITIVE_INFINITY);
                double served = Math.min(capacity, flow + queues[i] / BIN_SECONDS);
                queues[i] = Math.max(0, queues[i] + (flow - served) * BIN_SECONDS);
                double wait = capacity > 0 ? queues[i] / capacity : Double.POSITIVE_INFINITY;
                if (task.pools().get(i).engine().kind() == EngineKind.DECODE_ONLY) {
                    // What waits for a decode engine has its first token already; the wait stretches the gaps.
                    itl = Math.max(
                            itl, engines[i].itlSeconds(served / Math.max(1, ready)) + wait / Math.max(1, outputTokens));
                } else {
                    ttft += wait + engines[i].prefillSeconds();
                    itl = Math.max(itl, engines[i].itlSeconds(served / Math.max(1, ready)));
                }
                flow = served;
            }
            outlook.add(rate, ttft, itl, utilisation, Arrays.stream(fleet).sum());
        }
        return outlook;
    }

    private int ready(FleetObservation observation, int index, int ordered, long atNanos) {
        PoolObservation seen = observation.pools().get(index);
        PoolTask pool = task.pools().get(index);
        List<Long> times = orders.getOrDefault(pool.id(), List.of());
        int arrived = (int) times.stream().filter(time -> time <= atNanos).count();
        int fresh = Math.max(0, ordered - seen.ordered());
        boolean freshReady = atNanos >= observation.nowNanos() + (long) (pool.coldStartSeconds() * 1e9);
        return Math.min(ordered, seen.ready() + arrived + (freshReady ? fresh : 0));
    }
}
