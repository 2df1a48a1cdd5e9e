/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.pool.TokenLengths;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Sorts orders of requests by how alike waiting in plain queues of one to four servers is to waiting among very many requests. */
final class QueueOrders {
    /*
     * Lindley's recursion with work by prompts alone and by prompts and answers, of much and of little spread: a thousandth of the
     * work of playing engines, so that thousands of orders can be looked at.
     */
    private static final int VERY_MANY = 500_000;
    private static final int SEEDS = 4;
    /* Two percentiles of four kinds of work. */
    private static final int FIGURES = 8;
    private static final int[] SERVERS = {1, 2, 4};
    private static final double TOKENS = 5_000;
    private static final double WARM_UP = 0.2;

    private final int requests;
    private final double[] loads;
    private final double[] right;

    QueueOrders(int requests, double... loads) {
        this.requests = requests;
        this.loads = loads;
        this.right = right();
    }

    private double[] right() {
        double[] mean = new double[SERVERS.length * loads.length * FIGURES];
        for (int i = 0; i < SEEDS; i++) {
            double[] logs = logs(VERY_MANY, 900L + i);
            Arrays.setAll(mean, k -> mean[k] + logs[k] / SEEDS);
        }
        return mean;
    }

    /** The best of so many orders, the best first. */
    long[] best(long from, int count, int keep) {
        Map<Double, Long> sorted = new TreeMap<>();
        for (long order = from; order < from + count; order++) {
            double[] logs = logs(requests, order);
            double squares = 0;
            for (int k = 0; k < logs.length; k++) {
                squares += Math.pow(logs[k] - right[k], 2);
            }
            sorted.put(squares, order);
        }
        return sorted.values().stream().limit(keep).mapToLong(Long::longValue).toArray();
    }

    private double[] logs(int count, long seed) {
        RequestSample wide = sample(1.5, 1.1, count, seed);
        RequestSample narrow = sample(0.5, 0.4, count, seed);
        double[][] works = {work(wide, 1), work(narrow, 1), work(wide, 0.5), work(narrow, 0.5)};
        double[] logs = new double[SERVERS.length * loads.length * FIGURES];
        int next = 0;
        for (double load : loads) {
            for (int servers : SERVERS) {
                for (double[] work : works) {
                    LatencySpread wait = wait(wide.gaps, work, servers, load);
                    logs[next++] = Math.log1p(wait.p50Seconds());
                    logs[next++] = Math.log1p(wait.p90Seconds());
                }
            }
        }
        return logs;
    }

    private static RequestSample sample(double inputVariation, double outputVariation, int count, long seed) {
        Workload workload = Workload.poisson(
                1,
                TokenLengths.spread(TOKENS, TOKENS * inputVariation),
                TokenLengths.spread(TOKENS, TOKENS * outputVariation));
        return new RequestSample(workload, 1, count, seed);
    }

    /** Of mean 1, by prompts for that share, the rest by answers. */
    private static double[] work(RequestSample sample, double prompts) {
        double input = Arrays.stream(sample.input).sum() / sample.count;
        double output = Arrays.stream(sample.output).sum() / sample.count;
        double[] work = new double[sample.count];
        Arrays.setAll(work, i -> prompts * sample.input[i] / input + (1 - prompts) * sample.output[i] / output);
        return work;
    }

    private static LatencySpread wait(double[] gaps, double[] work, int servers, double load) {
        int from = (int) (WARM_UP * work.length);
        double[] waits = new double[work.length - from];
        double[] free = new double[servers];
        double now = 0;
        for (int i = 0; i < work.length; i++) {
            now += gaps[i] / (load * servers);
            int first = 0;
            for (int k = 1; k < servers; k++) {
                first = free[k] < free[first] ? k : first;
            }
            double start = Math.max(now, free[first]);
            free[first] = start + work[i];
            if (i >= from) {
                waits[i - from] = start - now;
            }
        }
        return Percentiles.of(waits);
    }
}
