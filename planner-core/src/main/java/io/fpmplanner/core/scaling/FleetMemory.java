/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import java.util.List;

/**
 * What a {@link ScalingPolicy} should not forget in a restart: what was ordered, how long orders took, how soon shrinking
 * was regretted, and what came in the past days. Immutable; times are nanoseconds since the Unix epoch.
 *
 * @param desired replicas recommended last; -1 if none were
 * @param reached replicas that were there at once, of these
 * @param orderedNanos when each replica was ordered that does not serve yet, oldest first
 * @param coldStartSeconds how long the newest orders took, oldest first, at most 9
 * @param regret of shrinking
 * @param arrivals what came, by which seasons are told
 */
public record FleetMemory(
        int desired,
        int reached,
        List<Long> orderedNanos,
        List<Double> coldStartSeconds,
        RegretMemory regret,
        ArrivalMemory arrivals) {
    public FleetMemory {
        orderedNanos = List.copyOf(orderedNanos);
        coldStartSeconds = List.copyOf(coldStartSeconds);
        if (desired < -1 || reached < 0 || orderedNanos.size() > MOST_ORDERS) {
            throw new IllegalArgumentException("desired, reached or orders out of range: " + desired + ", " + reached
                    + ", " + orderedNanos.size());
        }
        for (double seconds : coldStartSeconds) {
            if (!(seconds >= 0) || Double.isInfinite(seconds)) {
                throw new IllegalArgumentException("coldStartSeconds must be at least 0, was " + seconds);
            }
        }
    }

    private static final int MOST_ORDERS = 100_000;

    /** Nothing was recommended yet. */
    public static final FleetMemory NOTHING =
            new FleetMemory(-1, 0, List.of(), List.of(), new RegretMemory(1, 0, -1, -1), ArrivalMemory.NOTHING);

    /**
     * How long a smaller fleet must suffice.
     *
     * @param times of the configured time, at least 1
     * @param sizeGivenUp fleet before the last shrinking
     * @param givenUpNanos when that was; -1 if never
     * @param changedNanos when {@code times} changed; -1 if never
     */
    public record RegretMemory(double times, int sizeGivenUp, long givenUpNanos, long changedNanos) {
        public RegretMemory {
            if (!(times >= 1) || times > Regret.MOST_TIMES) {
                throw new IllegalArgumentException("times must lie between 1 and 8, was " + times);
            }
        }
    }

    /** The same, with all times moved. */
    public FleetMemory movedBy(long nanos) {
        return new FleetMemory(
                desired,
                reached,
                orderedNanos.stream().map(time -> time + nanos).toList(),
                coldStartSeconds,
                new RegretMemory(
                        regret.times(),
                        regret.sizeGivenUp(),
                        moved(regret.givenUpNanos(), nanos),
                        moved(regret.changedNanos(), nanos)),
                arrivals.movedBy(nanos));
    }

    private static long moved(long time, long nanos) {
        return time < 0 ? time : Math.max(0, time + nanos);
    }

    /** What is true whatever happened to the fleet since: how long a start takes, how soon shrinking was regretted, what came. */
    FleetMemory withoutFleet() {
        return new FleetMemory(-1, 0, List.of(), coldStartSeconds, regret, arrivals);
    }

    /** The same with what came. */
    public FleetMemory with(ArrivalMemory came) {
        return new FleetMemory(desired, reached, orderedNanos, coldStartSeconds, regret, came);
    }
}
