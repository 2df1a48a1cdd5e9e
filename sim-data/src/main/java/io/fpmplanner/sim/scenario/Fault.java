/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

/** Something that goes wrong in a run. Implementations are immutable. */
public sealed interface Fault {
    /**
     * Neither frames nor the front end's figures reach the autoscaler.
     *
     * @param fromSeconds when it begins
     * @param toSeconds when it is over
     */
    record TelemetryOutage(double fromSeconds, double toSeconds) implements Fault {
        public TelemetryOutage {
            requireSpan(fromSeconds, toSeconds);
        }
    }

    private static void requireSpan(double fromSeconds, double toSeconds) {
        if (!(fromSeconds >= 0) || !(toSeconds > fromSeconds) || Double.isInfinite(toSeconds)) {
            throw new IllegalArgumentException("a fault needs a beginning of at least 0 s and a later end, were "
                    + fromSeconds + " and " + toSeconds);
        }
    }
}
