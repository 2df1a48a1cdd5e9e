/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SloTarget;
import java.util.Arrays;

/**
 * How one replica serves requests of the present kind: decode batch, time between tokens and use of the room for prompts
 * as functions of its request rate, and the share of requests that then meet the objectives. Not threadsafe: it
 * remembers what it was asked.
 */
final class ServiceCurve {
    /*
     * In steady state a rank that takes r requests/s decodes m = r * outputTokens * itl(m) of them at once (Little's
     * law). The number fluctuates like a Poisson count; what a request sees is the mean over its own stay, whose
     * variance is 0.74 of that (a process that forgets within one stay, averaged over one stay). Spreading arrivals
     * evenly over n replicas makes them steadier, up to half the variance.
     *
     * Waiting for the prompt room is an M/G/1 queue in heavy traffic: the wait exceeds t with probability
     * u * exp(-2 (1 - u) t / (s (ca + cs))), u its use, s the room one prompt takes, ca and cs the squared
     * coefficients of variation of arrivals and prompts (Kingman).
     */
    private static final double STAY_VARIANCE = 0.74;
    private static final double PROMPT_VARIATION = 1;

    private final Role role;
    private final SloTarget slo;
    private final double[] batch;
    private final double[] rate;
    private final double[] itl;
    private final double[] own;
    private final double[] use;
    private final double tokensPerRequest;
    private final double itlBound;
    private final boolean ttftCounts;
    private final double largestWithinItl;
    /* Asked for several sizes several times a tick. */
    private final double[] rates = new double[64];
    private double ratesFor = -1;

    /**
     * A curve through the given points of ascending batch and rate.
     *
     * @param tokensPerRequest tokens decoded per request
     * @param itlBound objective for the mean time between tokens, seconds
     * @param ttftCounts whether the objective for the time to first token can be met at all
     */
    ServiceCurve(
            Role role, SloTarget slo, Points points, double tokensPerRequest, double itlBound, boolean ttftCounts) {
        this.role = role;
        this.slo = slo;
        this.batch = points.batch();
        this.rate = points.rate();
        this.itl = points.itl();
        this.own = points.own();
        this.use = points.use();
        this.tokensPerRequest = tokensPerRequest;
        this.itlBound = itlBound;
        this.ttftCounts = ttftCounts;
        this.largestWithinItl = largestWithin();
    }

    /**
     * Points of a curve, each array of one length. Owned by the curve.
     *
     * @param batch decode requests of each rank; all 0 in a prefill pool
     * @param rate requests/s of the whole replica at which that batch is steady
     * @param itl mean time between tokens there, seconds
     * @param own time to compute a typical prompt there, seconds
     * @param use share of the room for prompts in use there
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over once, from builder to curve
    record Points(double[] batch, double[] rate, double[] itl, double[] own, double[] use) {}

    private double largestWithin() {
        int last = batch.length - 1;
        if (role == Role.PREFILL || itl[last] <= itlBound) {
            return Double.POSITIVE_INFINITY;
        }
        int i = last;
        while (i > 0 && itl[i - 1] > itlBound) {
            i--;
        }
        if (i == 0) {
            return 0;
        }
        double part = (itlBound - itl[i - 1]) / (itl[i] - itl[i - 1]);
        return batch[i - 1] + part * (batch[i] - batch[i - 1]);
    }

    /** Requests/s that a replica completes when its queue never empties, whatever the latency. */
    double saturatedRate() {
        return rate[rate.length - 1];
    }

    /** Requests/s of a replica at which the mean time between tokens just meets its objective; at most saturated. */
    double sloRate() {
        return Double.isInfinite(largestWithinItl) ? saturatedRate() : interpolate(batch, rate, largestWithinItl);
    }

    /** The steady batch of each rank at a rate of the replica. */
    double batchAt(double ratePerReplica) {
        return interpolate(rate, batch, ratePerReplica);
    }

    /** Mean tokens decoded of a request; 0 in a prefill pool. */
    double tokensPerRequest() {
        return tokensPerRequest;
    }

    /** Seconds that a request decodes at a batch. */
    double staySeconds(double batchNow) {
        return Math.max(1e-3, tokensPerRequest * interpolate(batch, itl, batchNow));
    }

    double itlSeconds(double batchNow) {
        return interpolate(batch, itl, batchNow);
    }

    double ownPrefillSeconds(double batchNow) {
        return interpolate(batch, own, batchNow);
    }

    /** The batch beyond which the mean time between tokens misses its objective; infinite if none within the limits. */
    double largestBatchWithinItl() {
        return largestWithinItl;
    }

    /** Share of requests that meet both objectives in steady state at the given rate of each of n replicas. */
    double steadyAttainment(double ratePerReplica, int replicas) {
        if (ratePerReplica >= saturatedRate()) {
            return 0;
        }
        return attainment(ratePerReplica, replicas, batchAt(ratePerReplica), 0);
    }

    /** Share of requests that meet both objectives if they wait that long before the prompt queue empties. */
    double attainment(double ratePerReplica, int replicas, double batchNow, double waitSeconds) {
        double variance = 0.5 + 0.5 / Math.max(1, replicas);
        return withinItl(batchNow, variance) * withinTtft(ratePerReplica, batchNow, waitSeconds, variance);
    }

    private double withinItl(double batchNow, double variance) {
        if (Double.isInfinite(largestWithinItl)) {
            return 1;
        }
        double deviation = Math.sqrt(STAY_VARIANCE * variance * Math.max(1, batchNow));
        /* The logistic function is within 0.01 of the normal distribution's at this scale. */
        return 1 / (1 + Math.exp(-1.702 * (largestWithinItl + 0.5 - batchNow) / deviation));
    }

    private double withinTtft(double ratePerReplica, double batchNow, double waitSeconds, double variance) {
        if (!ttftCounts) {
            return 1;
        }
        double stepSeconds = role == Role.PREFILL ? 0 : itlSeconds(batchNow);
        double slack = slo.ttftSeconds() - waitSeconds - stepSeconds / 2;
        if (role == Role.DECODE) {
            return slack > 0 ? 1 : 0;
        }
        slack -= ownPrefillSeconds(batchNow);
        if (slack <= 0) {
            return 0;
        }
        double busy = Math.min(0.999, interpolate(rate, use, ratePerReplica));
        double perRequest = ratePerReplica > 0 ? busy / ratePerReplica : 0;
        if (perRequest <= 0) {
            return 1;
        }
        return 1 - busy * Math.exp(-2 * (1 - busy) * slack / (perRequest * (variance + PROMPT_VARIATION)));
    }

    /** The highest rate per replica at which the given share meets the objectives when n replicas share the load. */
    double rateWithin(double attainment, int replicas) {
        if (replicas >= rates.length) {
            return search(attainment, replicas);
        }
        if (attainment != ratesFor) {
            Arrays.fill(rates, -1);
            ratesFor = attainment;
        }
        if (rates[replicas] < 0) {
            rates[replicas] = search(attainment, replicas);
        }
        return rates[replicas];
    }

    private double search(double attainment, int replicas) {
        double low = 0;
        double high = saturatedRate();
        for (int i = 0; i < 24; i++) {
            double middle = (low + high) / 2;
            if (steadyAttainment(middle, replicas) >= attainment) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double interpolate(double[] x, double[] y, double at) {
        int last = x.length - 1;
        if (at <= x[0]) {
            return y[0];
        }
        if (at >= x[last]) {
            return y[last];
        }
        int low = 0;
        int high = last;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (x[middle] <= at) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double width = x[high] - x[low];
        return width <= 0 ? y[high] : y[low] + (y[high] - y[low]) * (at - x[low]) / width;
    }
}
