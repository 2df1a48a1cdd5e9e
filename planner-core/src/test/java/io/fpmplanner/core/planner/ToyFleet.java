/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.pool.PoolSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/**
 * A fleet of toy engines in virtual time under Poisson arrivals, with a planner beside it that ticks once a second.
 * Seeded: the same run always gives the same numbers.
 */
final class ToyFleet {
    static final long EPOCH_NANOS = 1_700_000_000_000_000_000L;

    final PoolSettings settings;
    Planner planner;
    final List<Double> tokenGaps = new ArrayList<>();
    final List<ToyRequest> requests = new ArrayList<>();
    final List<PoolPlan> plans = new ArrayList<>();
    private final SplittableRandom random;
    private final SplittableRandom losses = new SplittableRandom(99);
    private final List<ToyEngine> engines = new ArrayList<>();
    private final List<Double> starting = new ArrayList<>();
    private int created;
    private double now;
    private double nextArrival;
    private double nextTick = 1;

    DoubleUnaryOperator requestsPerSecond = time -> 0;
    boolean follows = true;
    boolean telemetry = true;
    double lossShare;
    /** Worker ids that serve but are not heard. */
    final Set<String> unheard = new HashSet<>();

    int meanPrompt = 800;
    int meanOutput = 120;

    ToyFleet(PoolSettings settings, int replicas, long seed) {
        this.settings = settings;
        this.planner = new Planner(List.of(settings));
        this.random = new SplittableRandom(seed);
        for (int i = 0; i < replicas; i++) {
            start();
        }
    }

    static long nanos(double seconds) {
        return EPOCH_NANOS + Math.round(seconds * 1e9);
    }

    double now() {
        return now;
    }

    int ready() {
        return (int) engines.stream().filter(engine -> !engine.draining).count();
    }

    PoolPlan plan() {
        return plans.get(plans.size() - 1);
    }

    void publish(FpmFrame frame) {
        if (telemetry && !unheard.contains(frame.workerId()) && (lossShare == 0 || losses.nextDouble() >= lossShare)) {
            planner.onFrame(0, frame);
        }
    }

    /** Another process takes over, with what is given of the memory of the one before. */
    List<PlannerMemory.Outcome> restartPlanner(PlannerMemory memory, boolean isFleetKnown) {
        planner = new Planner(List.of(settings));
        return planner.restore(memory, isFleetKnown);
    }

    PlannerMemory memory() {
        return planner.memory(nanos(now));
    }

    /** All publishers begin anew, though their engines served on. */
    void restartPublishers() {
        engines.forEach(engine -> engine.sequence = 0);
    }

    void kill() {
        engines.remove(engines.size() - 1);
    }

    void run(double seconds) {
        double end = now + seconds;
        while (true) {
            ToyEngine next = null;
            for (ToyEngine engine : engines) {
                next = next == null || engine.nextEvent() < next.nextEvent() ? engine : next;
            }
            double engineTime = next == null ? Double.POSITIVE_INFINITY : next.nextEvent();
            double time = Math.min(Math.min(engineTime, nextArrival), nextTick);
            if (time > end) {
                now = end;
                return;
            }
            now = time;
            if (time == nextTick) {
                tick();
            } else if (time == nextArrival) {
                arrive();
            } else if (next != null) {
                next.advance(now);
            }
        }
    }

    private void arrive() {
        double rate = requestsPerSecond.applyAsDouble(now);
        if (rate <= 0) {
            nextArrival = now + 0.25;
            return;
        }
        nextArrival = now - Math.log(1 - random.nextDouble()) / rate;
        int prompt = spread(meanPrompt);
        ToyRequest request = new ToyRequest(now, prompt, spread(meanOutput));
        requests.add(request);
        List<ToyEngine> open =
                engines.stream().filter(engine -> !engine.draining).toList();
        if (!open.isEmpty()) {
            open.get(random.nextInt(open.size())).submit(request, now);
        }
    }

    /** Half to one and a half times the mean, evenly. */
    private int spread(int mean) {
        return (int) Math.max(1, mean * (0.5 + random.nextDouble()));
    }

    private void tick() {
        nextTick++;
        starting.removeIf(ready -> {
            if (ready <= now) {
                start();
                return true;
            }
            return false;
        });
        engines.removeIf(engine -> engine.draining && engine.load() == 0);
        PoolPlan plan = planner.tick(nanos(now)).pools().get(0);
        plans.add(plan);
        if (follows) {
            plan.recommendation().desired().ifPresent(this::scaleTo);
        }
    }

    private void scaleTo(int desired) {
        int have = ready() + starting.size();
        for (int i = have; i < desired; i++) {
            starting.add(now + settings.scaling().coldStartSeconds());
        }
        for (int i = engines.size() - 1; i >= 0 && ready() > Math.max(1, desired); i--) {
            engines.get(i).draining = true;
        }
    }

    private void start() {
        engines.add(new ToyEngine("worker-" + created++, this, now, random.split()));
    }

    /** Median TTFT of the requests that arrived in the given span and were served. */
    double medianTtft(double from, double to) {
        return median(requests.stream()
                .filter(request -> request.arrival >= from && request.arrival < to && request.firstToken > 0)
                .map(ToyRequest::ttft)
                .toList());
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
