/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A stream of requests in order of arrival: a Poisson process with a rate that varies in time. It ends only where the
 * rate falls to 0 for good.
 *
 * <p>Not threadsafe. Equal arguments give equal streams.
 */
public final class RequestStream implements RequestSource {
    /*
     * Arrivals by thinning (Lewis and Shedler, Naval Research Logistics Quarterly 26, 1979). Lengths are drawn from a
     * generator of their own, so that a change of the rate leaves the n-th request's lengths as they were.
     */
    private static final int CANDIDATES_UNTIL_OVER = 1_000_000;

    private final ArrivalRate rate;
    private final LengthDistribution inputTokens;
    private final LengthDistribution outputTokens;
    private final RandomVariates arrivals;
    private final RandomVariates lengths;
    private final long startNanos;
    private double seconds;
    private long nextId;
    private @Nullable Request next;

    /**
     * @param rate requests per second as a function of the time since {@code startNanos}
     * @param startNanos when the stream begins, on the simulation's clock
     */
    public RequestStream(
            ArrivalRate rate,
            LengthDistribution inputTokens,
            LengthDistribution outputTokens,
            long startNanos,
            long seed) {
        this.rate = rate;
        this.inputTokens = inputTokens;
        this.outputTokens = outputTokens;
        this.startNanos = startNanos;
        this.arrivals = new RandomVariates(seed);
        this.lengths = new RandomVariates(seed ^ 0x9E3779B97F4A7C15L);
        if (!(rate.peak() > 0)) {
            throw new IllegalArgumentException("a stream needs a rate above 0, the peak was " + rate.peak());
        }
        this.next = draw();
    }

    @Override
    public long nextArrivalNanos() {
        return next == null ? Long.MAX_VALUE : next.arrivalNanos();
    }

    @Override
    public Request next() {
        Request taken = next;
        if (taken == null) {
            throw new NoSuchElementException("the arrival rate has fallen to 0 for good");
        }
        next = draw();
        return taken;
    }

    @Override
    public double requestsPerSecond(long nowNanos) {
        return rate.requestsPerSecond((nowNanos - startNanos) / 1e9);
    }

    private @Nullable Request draw() {
        double peak = rate.peak();
        for (int candidate = 0; candidate < CANDIDATES_UNTIL_OVER; candidate++) {
            seconds += arrivals.exponential() / peak;
            if (arrivals.uniform() * peak < rate.requestsPerSecond(seconds)) {
                int input = inputTokens.sample(lengths);
                int output = outputTokens.sample(lengths);
                return new Request(nextId++, startNanos + (long) (seconds * 1e9), input, 0, output);
            }
        }
        return null;
    }
}
