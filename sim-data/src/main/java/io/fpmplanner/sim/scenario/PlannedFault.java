/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import io.fpmplanner.sim.fleet.Fault;
import java.util.Optional;

/**
 * Something that goes wrong in a run. Immutable.
 *
 * @param kind what
 * @param poolId where; empty for all pools there are
 * @param fromSeconds when it begins; &ge; 0
 * @param toSeconds when it is over; infinite for never; &gt; fromSeconds
 * @param replica which replica is hit, by age, for kinds that hit one; &ge; 0
 * @param amount how bad, for kinds that have a measure
 */
public record PlannedFault(
        Fault.Kind kind, Optional<String> poolId, double fromSeconds, double toSeconds, int replica, double amount) {
    public PlannedFault {
        if (!(fromSeconds >= 0) || !(toSeconds > fromSeconds) || fromSeconds > 1e6) {
            throw new IllegalArgumentException("a fault needs a beginning of at least 0 s and a later end, were "
                    + fromSeconds + " and " + toSeconds);
        }
        in("any", fromSeconds, toSeconds, kind, replica, amount); // Checks replica and amount.
    }

    /** Whether it has to do with a pool of this id. */
    public boolean concerns(String id) {
        return poolId.isEmpty() || poolId.get().equals(id);
    }

    /** The same for a fleet whose clock begins at 0. */
    public Fault in(String id) {
        return in(id, fromSeconds, toSeconds, kind, replica, amount);
    }

    private static Fault in(String id, double from, double to, Fault.Kind kind, int replica, double amount) {
        long untilNanos = to > 1e9 ? Long.MAX_VALUE : (long) (to * 1e9);
        return new Fault(kind, id, (long) (from * 1e9), untilNanos, replica, amount);
    }

    /** Whether telemetry is out at a time. */
    public boolean silencesAt(double seconds) {
        return kind == Fault.Kind.TELEMETRY_OUTAGE && seconds >= fromSeconds && seconds < toSeconds;
    }
}
