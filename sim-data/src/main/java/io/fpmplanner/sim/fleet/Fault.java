/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

/**
 * Something that goes wrong in a pool at a time, and for some kinds until another. Immutable.
 *
 * <p>A fault hits the {@code replica}-th oldest of the replicas that are ready then, counted round; when none is ready it hits
 * nothing.
 *
 * @param kind what happens
 * @param poolId where
 * @param atNanos when, on the simulation's clock
 * @param untilNanos when it is over; {@link Long#MAX_VALUE} for never; &gt; atNanos
 * @param replica which replica, for kinds that hit one; &ge; 0
 * @param amount {@link Kind#SLOW}: how many times longer each step takes, &gt; 0; {@link Kind#CAPACITY_LIMIT}: most
 *     replicas that find a place, &ge; 0; else 0
 */
public record Fault(Kind kind, String poolId, long atNanos, long untilNanos, int replica, double amount) {
    /** What can go wrong. */
    public enum Kind {
        /** A replica is gone with all requests inside; the orchestrator orders another at once. */
        CRASH,
        /** A replica's current or next step does not end before the fault does; it takes requests and its heartbeats go on. */
        STUCK,
        /** A replica's steps take longer (thermal throttling, a bad link, a noisy neighbour). */
        SLOW,
        /** Records of all the pool's replicas are lost on the way while they serve. */
        TELEMETRY_OUTAGE,
        /** Only so many replicas find a place; others ordered stay pending and cost nothing. Running ones stay. */
        CAPACITY_LIMIT
    }

    public Fault {
        if (untilNanos <= atNanos) {
            throw new IllegalArgumentException(
                    kind + " must end after it begins at " + atNanos + ", not at " + untilNanos);
        }
        if (replica < 0) {
            throw new IllegalArgumentException("replica must be at least 0, was " + replica);
        }
        boolean whole = amount >= 0 && amount == Math.rint(amount) && amount <= Integer.MAX_VALUE;
        if (kind == Kind.CAPACITY_LIMIT && !whole) {
            throw new IllegalArgumentException("a capacity limit is a number of replicas, not " + amount);
        }
        if (kind == Kind.SLOW && !(amount > 0 && amount <= 1e6)) {
            throw new IllegalArgumentException(
                    "a slow replica's factor must lie above 0 and be at most 1e6, was " + amount);
        }
    }

    /** See {@link Kind#CRASH}. */
    public static Fault crash(String poolId, long atNanos, int replica) {
        return new Fault(Kind.CRASH, poolId, atNanos, Long.MAX_VALUE, replica, 0);
    }

    /** See {@link Kind#STUCK}. */
    public static Fault stuck(String poolId, long atNanos, long untilNanos, int replica) {
        return new Fault(Kind.STUCK, poolId, atNanos, untilNanos, replica, 0);
    }

    /** See {@link Kind#SLOW}. */
    public static Fault slow(String poolId, long atNanos, long untilNanos, int replica, double factor) {
        return new Fault(Kind.SLOW, poolId, atNanos, untilNanos, replica, factor);
    }

    /** See {@link Kind#TELEMETRY_OUTAGE}. */
    public static Fault telemetryOutage(String poolId, long atNanos, long untilNanos) {
        return new Fault(Kind.TELEMETRY_OUTAGE, poolId, atNanos, untilNanos, 0, 0);
    }

    /** See {@link Kind#CAPACITY_LIMIT}. */
    public static Fault capacityLimit(String poolId, long atNanos, long untilNanos, int replicas) {
        return new Fault(Kind.CAPACITY_LIMIT, poolId, atNanos, untilNanos, 0, replicas);
    }
}
