/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.Request;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Prints how well latency is told against simulated truth: predictions for now, the workload inferred, and what-if
 * answers. Run its main from the test classes; the first argument picks the scenarios whose name contains it, {@code unseen} as
 * the second those that nothing was tuned on.
 */
public final class LatencyAccuracy {
    static final double MEASURE_SECONDS = 180;

    private LatencyAccuracy() {}

    public static void main(String[] args) {
        String wanted = args.length > 0 ? args[0] : "";
        System.out.println(
                "milliseconds: predicted and true median, error, 90th percentile likewise, share within p90, p99");
        boolean unseen = args.length > 1 && args[1].equals("unseen");
        for (Scenario scenario : unseen ? Scenario.unseen() : Scenario.all()) {
            if (scenario.name().contains(wanted)) {
                now(scenario);
            }
        }
    }

    private static void now(Scenario scenario) {
        double saturated = Saturation.requestsPerSecond(scenario);
        System.out.printf(Locale.ROOT, "%s: saturated at %.2f requests/s%n", scenario.name(), saturated);
        for (Load load : List.of(Load.steady(0.3), Load.steady(0.6), Load.steady(0.9), Load.standingQueue())) {
            ArrivalRate rate = load.rate(saturated);
            try (AccuracyRun run = new AccuracyRun(scenario, rate, 11)) {
                run.runTo(load.measureFromSeconds()).count().runTo(load.measureFromSeconds() + MEASURE_SECONDS);
                inferred(run);
                NowScore score = NowScore.of(run, scenario.isPair() ? Scenario.DECODE : Scenario.POOL);
                score.ttft().ifPresent(known -> System.out.printf("  %-6s TTFT %s%n", load.name(), known.line()));
                score.itl().ifPresent(known -> System.out.printf("  %-6s ITL  %s%n", load.name(), known.line()));
            }
        }
    }

    /** Arrival rate and lengths: inferred at the end over true in the measured time. */
    private static void inferred(AccuracyRun run) {
        double rate = run.arrived.size() / MEASURE_SECONDS;
        Moments input = Moments.of(
                run.arrived.stream().mapToDouble(Request::inputTokens).toArray());
        Moments output = Moments.of(
                run.arrived.stream().mapToDouble(Request::outputTokens).toArray());
        for (PoolPlan plan : run.plans()) {
            PoolLoad.Traffic traffic = plan.pool().load().traffic();
            System.out.printf(
                    Locale.ROOT,
                    "         %-6s rate %.2f/%.2f  input %.0f/%.0f +- %.0f/%.0f  output %.1f/%.1f +- %.0f/%.0f  context %.0f  imbalance %.2f%n",
                    plan.id(),
                    traffic.requestsPerSecond().orElse(Double.NaN),
                    rate,
                    traffic.inputTokens().orElse(Double.NaN),
                    input.mean(),
                    traffic.inputDeviation().orElse(Double.NaN),
                    input.deviation(),
                    traffic.outputTokens().orElse(Double.NaN),
                    output.mean(),
                    traffic.outputDeviation().orElse(Double.NaN),
                    output.deviation(),
                    traffic.contextTokens().orElse(Double.NaN),
                    traffic.imbalance().orElse(Double.NaN));
        }
    }

    private record Moments(double mean, double deviation) {
        static Moments of(double[] values) {
            double mean = Arrays.stream(values).average().orElse(Double.NaN);
            double squares =
                    Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
            return new Moments(mean, Math.sqrt(squares / values.length));
        }
    }
}
