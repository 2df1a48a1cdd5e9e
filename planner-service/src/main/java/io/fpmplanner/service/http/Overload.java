/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import io.vertx.core.Vertx;

/**
 * Whether the event loop keeps up. Requests wait in sockets while it does not, all longer and longer, so that those that
 * cannot be answered soon are better refused at once. One event loop.
 */
final class Overload {
    /*
     * A timer that comes late tells how long everything waits. A late timer alone may be a pause of the collector or
     * a busy machine; only with many requests in the same time is it their doing. While it is, every request costs a
     * refusal, a tenth of what an answer costs, until the timer is on time again. The loop takes what came on all
     * connections before it looks at timers: how long that has taken already is asked at each request too.
     */
    private static final long PERIOD_MILLIS = 10;
    private static final long LATE_NANOS = 25_000_000L;
    private static final long LONG_TURN_NANOS = 15_000_000L;
    private static final int MANY = 100;

    private long expectedNanos;
    private int requests;
    private boolean shedding;

    void start(Vertx vertx) {
        expectedNanos = System.nanoTime() + PERIOD_MILLIS * 1_000_000;
        vertx.setPeriodic(PERIOD_MILLIS, timer -> look(System.nanoTime()));
    }

    void look(long nowNanos) {
        long late = nowNanos - expectedNanos;
        shedding = late > LATE_NANOS && requests >= MANY;
        requests = 0;
        expectedNanos = nowNanos + PERIOD_MILLIS * 1_000_000;
    }

    boolean admits(long nowNanos) {
        requests++;
        return !shedding && !(requests >= MANY && nowNanos - expectedNanos > LONG_TURN_NANOS);
    }
}
