/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;

/** The faults still to come, and the ends of those that came. Not threadsafe. */
final class Faults {
    /** What is to be done at a time; equal times in the order of planning. */
    private record Deed(long atNanos, long order, Runnable what) {}

    private final PriorityQueue<Deed> deeds =
            new PriorityQueue<>(Comparator.comparingLong(Deed::atNanos).thenComparingLong(Deed::order));
    private long planned;

    /** @param pools finds a pool by id, or throws */
    Faults(List<Fault> faults, Function<String, FleetPool> pools) {
        for (Fault fault : faults) {
            FleetPool pool = pools.apply(fault.poolId());
            plan(fault.atNanos(), () -> begin(fault, pool));
        }
    }

    long nextEventNanos() {
        return deeds.isEmpty() ? Long.MAX_VALUE : deeds.peek().atNanos();
    }

    /** Does all that is due. */
    void advanceTo(long nowNanos) {
        while (nextEventNanos() <= nowNanos) {
            deeds.remove().what().run();
        }
    }

    private void plan(long atNanos, Runnable what) {
        if (atNanos != Long.MAX_VALUE) {
            deeds.add(new Deed(atNanos, planned++, what));
        }
    }

    private void begin(Fault fault, FleetPool pool) {
        switch (fault.kind()) {
            case CRASH, STUCK, SLOW -> hit(fault, pool);
            case TELEMETRY_OUTAGE -> {
                pool.replicas.setOutage(true);
                plan(fault.untilNanos(), () -> pool.replicas.setOutage(false));
            }
            case CAPACITY_LIMIT -> {
                pool.replicas.limitCapacity((int) fault.amount(), fault.atNanos());
                plan(fault.untilNanos(), () -> pool.replicas.limitCapacity(Integer.MAX_VALUE, fault.untilNanos()));
            }
        }
    }

    private void hit(Fault fault, FleetPool pool) {
        Replica replica = pool.replicas.readyReplica(fault.replica());
        if (replica == null) {
            return;
        }
        if (fault.kind() == Fault.Kind.CRASH) {
            pool.crash(replica, fault.atNanos());
        } else if (fault.kind() == Fault.Kind.STUCK) {
            replica.stallUntil(fault.untilNanos());
        } else {
            replica.pace.slowDown(fault.amount());
            plan(fault.untilNanos(), () -> replica.pace.slowDown(1 / fault.amount()));
        }
    }
}
