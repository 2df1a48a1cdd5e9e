/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.pool.TokenLengths;
import io.fpmplanner.core.twin.FleetTwin;
import io.fpmplanner.core.twin.PresentTraffic;
import io.fpmplanner.core.twin.TwinPool;
import io.fpmplanner.core.twin.WhatIf;
import io.fpmplanner.core.twin.WhatIfAnswer;
import io.fpmplanner.core.twin.WhatIfRange;
import io.fpmplanner.core.twin.Workload;
import io.fpmplanner.sim.workload.LengthDistribution;
import io.fpmplanner.sim.workload.RandomVariates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/**
 * Prints what-if answers against really simulating the same: a planner learns from two replicas at some utilisation, and is asked
 * about other replicas and rates. The question names rate and lengths, or with {@code inferred} as the second argument the rate only.
 * Run its main from the test classes; the first argument picks the scenarios whose name contains it, {@code unseen} as the third
 * those that nothing was tuned on.
 */
public final class WhatIfAccuracy {
    private static final SloTarget SLO = new SloTarget(2.0, 0.050, 0.9);
    static final double LEARN_SECONDS = 150;
    private static final double LEAST_REQUESTS = 6_000;
    private static final double LEAST_REQUESTS_WHEN_BUSY = 16_000;
    private static final double BUSY = 0.55;
    /* At 0.9 percentiles of 16,000 requests differ by 5 to 20 % from seed to seed, of so many by 2 to 5 %. */
    private static final double LEAST_REQUESTS_NEAR_SATURATION = 150_000;
    private static final double NEAR_SATURATION = 0.75;
    private static final double LEAST_SECONDS = 300;
    static final double CLEARLY_STABLE = 0.96;
    private static final double TRANSFER_SECONDS = 0.015;
    /** Of lengths, each inferred from some 2,000 requests. */
    private static final double INFERRED_ERROR = 0.03;

    private WhatIfAccuracy() {}

    /** Another fleet and another rate than those learned from. */
    record Change(String name, int replicas, double rateFactor) {
        static final List<Change> ALL = List.of(
                new Change("same", Scenario.REPLICAS, 1),
                new Change("+1 replica", Scenario.REPLICAS + 1, 1),
                new Change("-1 replica", Scenario.REPLICAS - 1, 1),
                new Change("x2 replicas", 2 * Scenario.REPLICAS, 1),
                new Change("x2 rate", Scenario.REPLICAS, 2),
                new Change("x2 both", 2 * Scenario.REPLICAS, 2));

        double utilisation(double before) {
            return before * rateFactor * Scenario.REPLICAS / replicas;
        }
    }

    /** Answer and truth; errors are answer over truth less 1. */
    record Compared(Change change, double utilisation, WhatIfRange range, Truth truth) {
        WhatIfAnswer answer() {
            return range.answer();
        }

        double ttftP50Error() {
            return answer().ttft().orElseThrow().p50Seconds()
                            / truth.ttftSeconds().p50()
                    - 1;
        }

        double ttftP90Error() {
            return answer().ttft().orElseThrow().p90Seconds()
                            / truth.ttftSeconds().p90()
                    - 1;
        }

        double itlP50Error() {
            return answer().itl().orElseThrow().p50Seconds()
                            / truth.itlSeconds().p50()
                    - 1;
        }

        double itlP90Error() {
            return answer().itl().orElseThrow().p90Seconds()
                            / truth.itlSeconds().p90()
                    - 1;
        }

        boolean within(double bound) {
            return answer().stable()
                    && Math.abs(ttftP50Error()) <= bound
                    && Math.abs(ttftP90Error()) <= bound
                    && Math.abs(itlP50Error()) <= bound
                    && Math.abs(itlP90Error()) <= bound;
        }

        /** How many of the four figures lie within their ranges. */
        int inRange() {
            if (range.ttft().isEmpty() || range.itl().isEmpty()) {
                return 0;
            }
            WhatIfRange.Bounds ttft = range.ttft().get();
            WhatIfRange.Bounds itl = range.itl().get();
            return inside(ttft, LatencySpread::p50Seconds, truth.ttftSeconds().p50())
                    + inside(
                            ttft, LatencySpread::p90Seconds, truth.ttftSeconds().p90())
                    + inside(itl, LatencySpread::p50Seconds, truth.itlSeconds().p50())
                    + inside(itl, LatencySpread::p90Seconds, truth.itlSeconds().p90());
        }

        private static int inside(WhatIfRange.Bounds bounds, ToDoubleFunction<LatencySpread> figure, double real) {
            boolean above = real >= figure.applyAsDouble(bounds.low());
            boolean below = bounds.high().isEmpty()
                    || real <= figure.applyAsDouble(bounds.high().get());
            return above && below ? 1 : 0;
        }

        String line() {
            if (!answer().stable()) {
                return String.format(Locale.ROOT, "%-12s %.2f  said to be unstable", change.name(), utilisation);
            }
            return String.format(
                    Locale.ROOT,
                    "%-12s %.2f  TTFT %7.1f %7.1f %+6.1f%%  %7.1f %7.1f %+6.1f%%  ITL %6.1f %6.1f %+6.1f%%  %6.1f %6.1f %+6.1f%%  %d/4 in range  %s%s",
                    change.name(),
                    utilisation,
                    1e3 * answer().ttft().orElseThrow().p50Seconds(),
                    1e3 * truth.ttftSeconds().p50(),
                    100 * ttftP50Error(),
                    1e3 * answer().ttft().orElseThrow().p90Seconds(),
                    1e3 * truth.ttftSeconds().p90(),
                    100 * ttftP90Error(),
                    1e3 * answer().itl().orElseThrow().p50Seconds(),
                    1e3 * truth.itlSeconds().p50(),
                    100 * itlP50Error(),
                    1e3 * answer().itl().orElseThrow().p90Seconds(),
                    1e3 * truth.itlSeconds().p90(),
                    100 * itlP90Error(),
                    inRange(),
                    answer().evidence(),
                    within(0.15) ? "" : " *");
        }
    }

    public static void main(String[] args) {
        String wanted = args.length > 0 ? args[0] : "";
        boolean told = args.length < 2 || !args[1].equals("inferred");
        System.out.println(
                "milliseconds: answer, truth, error of p50, then of p90; * where one is off by more than 15 %");
        boolean unseen = args.length > 2 && args[2].equals("unseen");
        int met = 0;
        int all = 0;
        int inRange = 0;
        for (Scenario scenario : unseen ? Scenario.unseen() : Scenario.all()) {
            if (!scenario.name().contains(wanted)) {
                continue;
            }
            double saturated = Saturation.requestsPerSecond(scenario);
            for (double utilisation : List.of(0.3, 0.45, 0.6, 0.9)) {
                System.out.printf(
                        Locale.ROOT,
                        "%s, learned at %.2f of %.2f requests/s%n",
                        scenario.name(),
                        utilisation,
                        saturated);
                for (Compared compared : compare(scenario, saturated, utilisation, Change.ALL, told)) {
                    System.out.println("  " + compared.line());
                    all++;
                    met += compared.within(0.15) ? 1 : 0;
                    inRange += compared.inRange();
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "all four within 15 %%: %d of %d; figures within their range: %d of %d%n",
                met,
                all,
                inRange,
                4 * all);
    }

    /** Those changes after which the fleet bears the rate. */
    static List<Compared> compare(
            Scenario scenario, double saturated, double utilisation, List<Change> changes, boolean told) {
        List<Compared> compared = new ArrayList<>();
        try (AccuracyRun run =
                new AccuracyRun(scenario, Load.steady(utilisation).rate(saturated), 11)) {
            run.runTo(LEARN_SECONDS);
            for (Change change : changes) {
                double after = change.utilisation(utilisation);
                if (after <= CLEARLY_STABLE) {
                    double rate = utilisation * saturated * change.rateFactor();
                    Truth truth = Truth.of(scenario.with(change.replicas()), rate, seconds(after, rate), 31);
                    Workload workload = workload(scenario, present(scenario, run), rate, told);
                    compared.add(new Compared(
                            change,
                            after,
                            askWithRange(scenario, run, change.replicas(), workload, told ? 0 : INFERRED_ERROR),
                            truth));
                }
            }
        }
        return compared;
    }

    /** Whether the answer after a change, learned at that utilisation, is that queues stay bounded. */
    static boolean isStable(Scenario scenario, double saturated, double utilisation, Change change) {
        return answer(scenario, saturated, utilisation, change).stable();
    }

    /** What the first pool is said to bear after a change, learned at that utilisation, requests per second. */
    static double saturated(Scenario scenario, double saturated, double utilisation, Change change) {
        return answer(scenario, saturated, utilisation, change).pools().get(0).saturatedRequestsPerSecond();
    }

    private static WhatIfAnswer answer(Scenario scenario, double saturated, double utilisation, Change change) {
        try (AccuracyRun run =
                new AccuracyRun(scenario, Load.steady(utilisation).rate(saturated), 11)) {
            run.runTo(LEARN_SECONDS);
            double rate = utilisation * saturated * change.rateFactor();
            Workload workload = workload(scenario, present(scenario, run), rate, true);
            return ask(scenario, run, change.replicas(), workload, OptionalLong.of(0));
        }
    }

    /** How long to simulate, after the warm-up. */
    static double seconds(double utilisation, double rate) {
        double requests = utilisation > NEAR_SATURATION
                ? LEAST_REQUESTS_NEAR_SATURATION
                : utilisation > BUSY ? LEAST_REQUESTS_WHEN_BUSY : LEAST_REQUESTS;
        return Math.max(LEAST_SECONDS, requests / rate);
    }

    /** What is seen of the traffic. */
    static PresentTraffic present(Scenario scenario, AccuracyRun run) {
        return PresentTraffic.of(
                run.plan(Scenario.POOL).pool(),
                scenario.isPair() ? run.plan(Scenario.DECODE).pool() : null);
    }

    /** TTFT is that of the first pool, as in the truth, which ends with its first token. */
    static WhatIfAnswer ask(Scenario scenario, AccuracyRun run, int replicas, Workload workload, OptionalLong seed) {
        TwinPool pool = TwinPool.of(run.plan(Scenario.POOL).pool());
        if (!scenario.isPair()) {
            return ask(FleetTwin.of(pool, SLO), WhatIf.of(workload, replicas), seed);
        }
        TwinPool decode = TwinPool.of(run.plan(Scenario.DECODE).pool());
        WhatIfAnswer answer = ask(
                FleetTwin.of(pool, decode, SLO),
                new WhatIf(workload, replicas, replicas, scenario.routing(), TRANSFER_SECONDS),
                seed);
        return new WhatIfAnswer(
                answer.stable(),
                answer.pools().get(0).ttft(),
                answer.itl(),
                answer.requestItl(),
                answer.attainment(),
                answer.pools(),
                answer.evidence(),
                answer.extrapolation());
    }

    private static WhatIfAnswer ask(FleetTwin twin, WhatIf question, OptionalLong seed) {
        return seed.isPresent() ? twin.ask(question, seed.getAsLong()) : twin.ask(question);
    }

    /** As {@link #ask}, with ranges. */
    private static WhatIfRange askWithRange(
            Scenario scenario, AccuracyRun run, int replicas, Workload workload, double loadError) {
        TwinPool pool = TwinPool.of(run.plan(Scenario.POOL).pool());
        WhatIfRange first = FleetTwin.of(pool, SLO).askWithRange(WhatIf.of(workload, replicas), loadError);
        if (!scenario.isPair()) {
            return first;
        }
        TwinPool decode = TwinPool.of(run.plan(Scenario.DECODE).pool());
        WhatIfRange pair = FleetTwin.of(pool, decode, SLO)
                .askWithRange(
                        new WhatIf(workload, replicas, replicas, scenario.routing(), TRANSFER_SECONDS), loadError);
        WhatIfAnswer answer = pair.answer();
        return new WhatIfRange(
                new WhatIfAnswer(
                        answer.stable(),
                        first.answer().ttft(),
                        answer.itl(),
                        answer.requestItl(),
                        answer.attainment(),
                        answer.pools(),
                        answer.evidence(),
                        answer.extrapolation()),
                first.ttft(),
                pair.itl());
    }

    static Workload workload(Scenario scenario, PresentTraffic present, double rate, boolean told) {
        return told
                ? new Workload(
                        rate,
                        1,
                        histogram(scenario.inputTokens()),
                        histogram(scenario.outputTokens()),
                        scenario.cachedShare())
                : present.workload().orElseThrow().at(rate);
    }

    /** As somebody who knows the requests would tell them. */
    private static TokenLengths histogram(LengthDistribution lengths) {
        RandomVariates variates = new RandomVariates(5);
        /* So many that their mean is off by less than the twin; at 0.9 a percent of it makes a tenth of the waiting time. */
        double[] drawn = new double[500_000];
        Arrays.setAll(drawn, i -> lengths.sample(variates));
        Arrays.sort(drawn);
        List<TokenLengths.Bin> bins = new ArrayList<>();
        int each = drawn.length / 1_000;
        for (int last = each - 1; last < drawn.length; last += each) {
            bins.add(new TokenLengths.Bin(drawn[last], each));
        }
        return new TokenLengths.Histogram(bins);
    }
}
