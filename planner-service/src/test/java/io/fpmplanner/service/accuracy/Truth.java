/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import io.fpmplanner.sim.engine.BatchingOrder;
import io.fpmplanner.sim.fleet.Fleet;
import io.fpmplanner.sim.fleet.FleetListener;
import io.fpmplanner.sim.fleet.StepChannel;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.Request;
import java.util.Arrays;

/** What a simulated fleet really does under steady traffic: time to first token of requests, time between tokens over tokens. */
final class Truth implements FleetListener {
    private static final long SECOND = 1_000_000_000L;
    private static final double WARM_UP_SECONDS = 60;

    private final Scenario scenario;
    private final double fromSeconds;
    private double[] ttft = new double[1 << 12];
    private int ttftCount;
    private double[] gap = new double[1 << 16];
    private double[] gapTokens = new double[1 << 16];
    private int gapCount;
    /** First tokens, not the last ones, of the step whose record comes next. */
    private int firstTokens;

    private Percentiles ttftSeconds = Percentiles.NONE;
    private Percentiles itlSeconds = Percentiles.NONE;

    /** Median and 90th percentile, seconds. */
    record Percentiles(double p50, double p90) {
        static final Percentiles NONE = new Percentiles(Double.NaN, Double.NaN);
    }

    private Truth(Scenario scenario, double fromSeconds) {
        this.scenario = scenario;
        this.fromSeconds = fromSeconds;
    }

    /** Of a scenario's fleet over that time after a warm-up. */
    static Truth of(Scenario scenario, double requestsPerSecond, double seconds, long seed) {
        Truth truth = new Truth(scenario, WARM_UP_SECONDS);
        try (Fleet fleet = new Fleet(
                scenario.fleet(ArrivalRate.constant(requestsPerSecond), seed),
                (pool, slot, identity, now) -> truth.channel(pool),
                truth)) {
            fleet.advanceTo((long) ((WARM_UP_SECONDS + seconds) * SECOND));
        }
        truth.ttftSeconds = truth.ttft();
        truth.itlSeconds = truth.itl();
        return truth;
    }

    Percentiles ttftSeconds() {
        return ttftSeconds;
    }

    Percentiles itlSeconds() {
        return itlSeconds;
    }

    @Override
    public void onFirstToken(String poolId, Request request, long atNanos) {
        firstTokens += request.outputTokens() > 1 ? 1 : 0;
        /* A pair's first token comes from its prefill pool. */
        if (request.arrivalNanos() * 1e-9 >= fromSeconds && poolId.equals(Scenario.POOL)) {
            if (ttftCount == ttft.length) {
                ttft = Arrays.copyOf(ttft, 2 * ttftCount);
            }
            ttft[ttftCount++] = (atNanos - request.arrivalNanos()) * 1e-9;
        }
    }

    private StepChannel channel(String poolId) {
        boolean standing = scenario.engine().order() == BatchingOrder.PREFILL_FIRST;
        boolean decodes = !scenario.isPair() || poolId.equals(Scenario.DECODE);
        TokenGaps gaps = new TokenGaps(standing);
        return new StepChannel() {
            @Override
            public void publish(ForwardPassMetrics metrics, long endNanos) {
                int first = firstTokens;
                firstTokens = 0;
                gaps.onStep(metrics, first, (seconds, tokens) -> {
                    if (decodes && endNanos * 1e-9 >= fromSeconds) {
                        addGap(seconds, tokens);
                    }
                });
            }

            @Override
            public void close() {}
        };
    }

    private void addGap(double seconds, double tokens) {
        if (gapCount == gap.length) {
            gap = Arrays.copyOf(gap, 2 * gapCount);
            gapTokens = Arrays.copyOf(gapTokens, 2 * gapCount);
        }
        gap[gapCount] = seconds;
        gapTokens[gapCount++] = tokens;
    }

    private Percentiles ttft() {
        if (ttftCount == 0) {
            return Percentiles.NONE;
        }
        double[] sorted = Arrays.copyOf(ttft, ttftCount);
        Arrays.sort(sorted);
        return new Percentiles(sorted[(int) (0.5 * ttftCount)], sorted[(int) (0.9 * ttftCount)]);
    }

    private Percentiles itl() {
        if (gapCount == 0) {
            return Percentiles.NONE;
        }
        /* Bits of floats above 0 are ordered as the floats are. */
        long[] order = new long[gapCount];
        Arrays.setAll(order, i -> (long) Float.floatToIntBits((float) gap[i]) << 32 | i);
        Arrays.sort(order);
        double total = Arrays.stream(gapTokens, 0, gapCount).sum();
        return new Percentiles(quantile(order, 0.5 * total), quantile(order, 0.9 * total));
    }

    private double quantile(long[] order, double target) {
        double below = 0;
        for (long entry : order) {
            int i = (int) entry;
            below += gapTokens[i];
            if (below >= target) {
                return gap[i];
            }
        }
        return Double.NaN;
    }
}
