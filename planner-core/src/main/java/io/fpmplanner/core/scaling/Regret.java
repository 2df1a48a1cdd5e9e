/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

/** How long a smaller fleet must have sufficed, learned from replicas given up too early. Not threadsafe. */
final class Regret {
    /*
     * Giving a replica up and ordering it again soon costs a cold start of missed objectives; keeping it costs its time.
     * Whoever does not know how long a lull lasts does best to wait about as long as the mistake costs. Traffic in
     * bursts shows itself: growth back to the size that was given up within SOON cold starts doubles the hold, up to
     * MOST_TIMES; each such time without it halves it again.
     */
    static final double MOST_TIMES = 8;
    private static final double SOON = 6;

    private final double leastSeconds;
    private final double soonSeconds;
    private double times = 1;
    private int sizeGivenUp;
    private long givenUpNanos = -1;
    private long changedNanos = -1;

    Regret(double stabilisationSeconds, double coldStartSeconds) {
        this.leastSeconds = stabilisationSeconds;
        this.soonSeconds = SOON * Math.max(coldStartSeconds, stabilisationSeconds);
    }

    void shrank(long nowNanos, int from) {
        sizeGivenUp = from;
        givenUpNanos = nowNanos;
        if (changedNanos < 0) {
            changedNanos = nowNanos;
        }
    }

    /** Takes note of an order. */
    void grew(long nowNanos, int from) {
        boolean soon = givenUpNanos >= 0 && (nowNanos - givenUpNanos) / 1e9 < soonSeconds && from < sizeGivenUp;
        if (soon) {
            times = Math.min(MOST_TIMES, 2 * times);
            changedNanos = nowNanos;
            givenUpNanos = -1;
        }
    }

    FleetMemory.RegretMemory memory() {
        return new FleetMemory.RegretMemory(times, sizeGivenUp, givenUpNanos, changedNanos);
    }

    void restore(FleetMemory.RegretMemory memory) {
        times = memory.times();
        sizeGivenUp = memory.sizeGivenUp();
        givenUpNanos = memory.givenUpNanos();
        changedNanos = memory.changedNanos();
    }

    double holdSeconds(long nowNanos) {
        if (times > 1 && (nowNanos - changedNanos) / 1e9 > times * soonSeconds) {
            times = Math.max(1, times / 2);
            changedNanos = nowNanos;
        }
        return times * leastSeconds;
    }
}
