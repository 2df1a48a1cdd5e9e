/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.pool.TokenLengths;
import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepTimeSettings;
import io.fpmplanner.models.StepTimeSnapshot;
import io.fpmplanner.models.StepWorkload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * Looks for an order of the requests of {@link Samples} of which the percentiles of latencies are like those of very many
 * requests, on step times, lengths and loads made up here. Prints how far any order is off, and those that plain queues
 * ({@link QueueOrders}) like best; arguments: requests, first order to try, orders to try, how many of them to play. On the test
 * class path.
 */
final class SampleOrders {
    private static final int VERY_MANY = 150_000;
    private static final StepTimeSnapshot MODEL = learned();

    private SampleOrders() {}

    /** A pool under a question. */
    private record Case(String name, TwinPool pool, WhatIf question) {
        double[] logs(Samples samples) {
            WhatIfAnswer answer =
                    FleetTwin.of(pool, new SloTarget(2, 0.05, 0.9)).ask(question, samples);
            return new double[] {
                Math.log(answer.ttft().orElseThrow().p50Seconds()),
                Math.log(answer.ttft().orElseThrow().p90Seconds()),
                answer.itl().map(itl -> Math.log(itl.p50Seconds())).orElse(0.0),
                answer.itl().map(itl -> Math.log(itl.p90Seconds())).orElse(0.0)
            };
        }
    }

    private static StepTimeSnapshot learned() {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        SplittableRandom random = new SplittableRandom(1);
        StepWorkload step = new StepWorkload();
        for (int i = 0; i < 8000; i++) {
            double decodes = i % 3 == 0 ? 0 : 1 + random.nextInt(256);
            double tokens = i % 3 == 1 ? 0 : 1 + random.nextInt(8192);
            double context = decodes * (200 + random.nextInt(1500));
            step.prefill(tokens == 0 ? 0 : Math.ceil(tokens / 1000), tokens, tokens == 0 ? 0 : random.nextInt(2000), 0)
                    .decode(decodes, context, 0);
            double noise = Math.exp(0.03 * random.nextGaussian());
            model.observe(step, (0.006 + 2.2e-5 * tokens + 3e-5 * decodes + 4e-8 * context) * noise);
        }
        return model.snapshot();
    }

    /** At loads for which so many requests are played. */
    private static List<Case> cases(int requests) {
        List<Case> cases = new ArrayList<>();
        for (double load :
                requests > Samples.FEWEST ? new double[] {0.92, 0.85, 0.75} : new double[] {0.65, 0.5, 0.3}) {
            for (double variation : new double[] {1.3, 0, 0.5}) {
                for (int replicas : new int[] {1, 2, 4}) {
                    add(cases, Role.PREFILL, new int[] {8192, 256, replicas}, load, variation);
                    add(cases, Role.AGGREGATED, new int[] {2048, 256, replicas}, load, variation);
                }
                add(cases, Role.AGGREGATED, new int[] {2048, 32, 1}, load, variation);
                add(cases, Role.AGGREGATED, new int[] {2048, 32, 2}, load, variation);
            }
        }
        return cases;
    }

    /** Limits are batched tokens, sequences and replicas. */
    private static void add(List<Case> cases, Role role, int[] limits, double load, double variation) {
        TwinPool pool = new TwinPool(
                role,
                new EngineLimits(limits[0], limits[1], OptionalLong.empty(), SchedulingRule.DECODE_FIRST),
                MODEL,
                0,
                1);
        TokenLengths input = TokenLengths.spread(900, 900 * variation);
        Workload one = Workload.poisson(1, input, TokenLengths.spread(150, 120));
        double saturated = Samples.typical(Samples.MOST).saturated(pool, WhatIf.of(one, 1));
        Workload workload = one.at(load * saturated * limits[2]);
        String name = role + Arrays.toString(limits) + " " + load + " " + variation;
        cases.add(new Case(name, pool, WhatIf.of(workload, limits[2])));
    }

    public static void main(String[] args) {
        int requests = Integer.parseInt(args[0]);
        long from = Long.parseLong(args[1]);
        int count = Integer.parseInt(args[2]);
        List<Case> cases = cases(requests);
        List<double[]> right = new ArrayList<>();
        for (Case each : cases) {
            right.add(each.logs(new Samples(VERY_MANY, 77)));
        }
        print("one order", off(cases, right, requests, Samples.SEED));
        boolean many = requests > Samples.FEWEST;
        QueueOrders queues =
                many ? new QueueOrders(requests, 0.8, 0.88, 0.93) : new QueueOrders(requests, 0.35, 0.5, 0.65);
        for (long order : queues.best(from, count, Integer.parseInt(args[3]))) {
            print("order " + order, off(cases, right, requests, order));
        }
    }

    /** Root mean square error of the logarithms over the cases: TTFT p50 and p90, ITL p50 and p90. */
    private static double[] off(List<Case> cases, List<double[]> right, int requests, long order) {
        double[] squares = new double[4];
        for (int i = 0; i < cases.size(); i++) {
            double[] logs = cases.get(i).logs(new Samples(requests, order));
            for (int k = 0; k < 4; k++) {
                squares[k] += Math.pow(logs[k] - right.get(i)[k], 2) / cases.size();
            }
        }
        return Arrays.stream(squares).map(Math::sqrt).toArray();
    }

    private static void print(String what, double[] off) {
        System.out.printf(
                Locale.ROOT,
                "%-14s off by %% (root mean square): TTFT p50 %.1f p90 %.1f, ITL p50 %.1f p90 %.1f, all %.1f%n",
                what,
                100 * off[0],
                100 * off[1],
                100 * off[2],
                100 * off[3],
                100 * Math.sqrt(Arrays.stream(off).map(one -> one * one).sum()));
    }
}
