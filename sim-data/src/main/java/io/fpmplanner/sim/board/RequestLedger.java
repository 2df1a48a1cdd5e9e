/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import io.fpmplanner.sim.engine.Refusal;
import io.fpmplanner.sim.engine.RequestLog;
import io.fpmplanner.sim.fleet.FleetListener;
import io.fpmplanner.sim.policy.FrontEndWindow;
import io.fpmplanner.sim.policy.LatencyObjective;
import io.fpmplanner.sim.workload.Request;
import java.util.Arrays;
import java.util.OptionalDouble;

/** Counts what becomes of requests, in all and since the last decision. Not threadsafe. */
final class RequestLedger implements FleetListener {
    private final LatencyObjective objective;
    private final Samples ttft = new Samples();
    private final Samples itl = new Samples();
    private long arrived;
    private long good;
    private long finished;
    private long refused;
    private Window window = new Window();

    RequestLedger(LatencyObjective objective) {
        this.objective = objective;
    }

    @Override
    public void onArrival(String poolId, Request request) {
        arrived++;
        window.arrived++;
        window.inputTokens += request.inputTokens();
    }

    @Override
    public void onFirstToken(String poolId, Request request, long nowNanos) {
        double seconds = (nowNanos - request.arrivalNanos()) * 1e-9;
        ttft.add(seconds);
        window.ttftCount++;
        window.ttftSum += seconds;
    }

    @Override
    public void onFinished(String poolId, RequestLog log) {
        finished++;
        OptionalDouble gap = log.itlSeconds();
        if (log.ttftSeconds() <= objective.ttftSeconds() && gap.orElse(0) <= objective.itlSeconds()) {
            good++;
        }
        window.finished++;
        window.outputTokens += log.request().outputTokens();
        if (gap.isPresent()) {
            itl.add(gap.getAsDouble());
            window.itlCount++;
            window.itlSum += gap.getAsDouble();
        }
    }

    @Override
    public void onRefused(String poolId, Request request, Refusal refusal, long nowNanos) {
        refused++;
    }

    @Override
    public void onLost(String poolId, Request request, long nowNanos) {
        refused++;
    }

    /** What was counted since this was asked last. */
    FrontEndWindow takeWindow(double seconds) {
        Window taken = window;
        window = new Window();
        return new FrontEndWindow(
                seconds,
                taken.arrived,
                taken.inputTokens,
                taken.finished,
                taken.outputTokens,
                mean(taken.ttftSum, taken.ttftCount),
                mean(taken.itlSum, taken.itlCount));
    }

    RunScore score(double gpuSeconds, int scaleEvents, int reversals) {
        return new RunScore(
                arrived,
                good,
                refused,
                arrived - finished - refused,
                gpuSeconds,
                ttft.latency(),
                itl.latency(),
                scaleEvents,
                reversals);
    }

    long arrived() {
        return arrived;
    }

    /** Times to first token measured so far. */
    Samples ttft() {
        return ttft;
    }

    /** Mean times between tokens measured so far. */
    Samples itl() {
        return itl;
    }

    private static OptionalDouble mean(double sum, long count) {
        return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / count);
    }

    private static final class Window {
        private long arrived;
        private long inputTokens;
        private long finished;
        private long outputTokens;
        private long ttftCount;
        private double ttftSum;
        private long itlCount;
        private double itlSum;
    }

    /** Measurements in the order they were made. */
    static final class Samples {
        private double[] values = new double[1_024];
        private int size;

        void add(double value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
            }
            values[size++] = value;
        }

        int size() {
            return size;
        }

        /** Quantile by nearest rank of those from an index on; empty if there are none. */
        OptionalDouble quantileFrom(int first, double q) {
            if (first >= size) {
                return OptionalDouble.empty();
            }
            double[] sorted = Arrays.copyOfRange(values, first, size);
            Arrays.sort(sorted);
            return quantile(sorted, q);
        }

        RunScore.Latency latency() {
            double[] sorted = Arrays.copyOf(values, size);
            Arrays.sort(sorted);
            return new RunScore.Latency(quantile(sorted, 0.5), quantile(sorted, 0.9), quantile(sorted, 0.99));
        }

        private static OptionalDouble quantile(double[] sorted, double q) {
            return sorted.length == 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(sorted[Math.max(0, (int) Math.ceil(q * sorted.length) - 1)]);
        }
    }
}
