/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * A rate that jumps at given times and is constant between them. Immutable.
 *
 * @param steps in order of time, the first at 0; at least one
 * @param periodSeconds after which they begin anew; infinite if they do not
 */
public record SteppedRate(List<Step> steps, double periodSeconds) implements ArrivalRate {
    /**
     * The rate from a time on. Immutable.
     *
     * @param fromSeconds &ge; 0
     * @param requestsPerSecond finite and &ge; 0
     */
    public record Step(double fromSeconds, double requestsPerSecond) {
        public Step {
            if (!(fromSeconds >= 0) || Double.isInfinite(fromSeconds)) {
                throw new IllegalArgumentException("a step must begin at 0 s or later, was " + fromSeconds);
            }
            if (!(requestsPerSecond >= 0) || Double.isInfinite(requestsPerSecond)) {
                throw new IllegalArgumentException(
                        "a rate must be finite and at least 0 requests/s, was " + requestsPerSecond);
            }
        }
    }

    public SteppedRate {
        steps = List.copyOf(steps);
        if (steps.isEmpty() || steps.get(0).fromSeconds() != 0) {
            throw new IllegalArgumentException("the first step must begin at 0 s");
        }
        for (int i = 1; i < steps.size(); i++) {
            if (steps.get(i).fromSeconds() <= steps.get(i - 1).fromSeconds()) {
                throw new IllegalArgumentException("steps must follow one another in time, "
                        + steps.get(i).fromSeconds() + " s does not come after "
                        + steps.get(i - 1).fromSeconds() + " s");
            }
        }
        if (!(periodSeconds > steps.get(steps.size() - 1).fromSeconds())) {
            throw new IllegalArgumentException("the period must exceed the last step, was " + periodSeconds);
        }
    }

    /** The steps once, the last one for ever. */
    public static SteppedRate once(List<Step> steps) {
        return new SteppedRate(steps, Double.POSITIVE_INFINITY);
    }

    /**
     * A staircase.
     *
     * @param first rate of the first stair, requests per second
     * @param rise by which each stair exceeds the one before
     * @param everySeconds length of a stair; &gt; 0
     * @param totalSeconds after which it stays level; &gt; 0 and at most 10,000 stairs
     */
    public static SteppedRate staircase(double first, double rise, double everySeconds, double totalSeconds) {
        if (!(everySeconds > 0) || !(totalSeconds / everySeconds <= 10_000)) {
            throw new IllegalArgumentException(
                    "a staircase needs stairs longer than 0 s and at most 10000 of them, was " + everySeconds + " s");
        }
        List<Step> stairs = new ArrayList<>();
        for (int i = 0; i == 0 || i * everySeconds < totalSeconds; i++) {
            stairs.add(new Step(i * everySeconds, first + i * rise));
        }
        return once(stairs);
    }

    /** A square wave: half a period {@code low}, half a period {@code high}. */
    public static SteppedRate square(double low, double high, double periodSeconds) {
        return new SteppedRate(List.of(new Step(0, low), new Step(periodSeconds / 2, high)), periodSeconds);
    }

    @Override
    public double requestsPerSecond(double seconds) {
        double within = Double.isInfinite(periodSeconds) ? seconds : seconds % periodSeconds;
        double rate = steps.get(0).requestsPerSecond();
        for (int i = 1; i < steps.size() && steps.get(i).fromSeconds() <= within; i++) {
            rate = steps.get(i).requestsPerSecond();
        }
        return rate;
    }

    @Override
    public double peak() {
        return steps.stream().mapToDouble(Step::requestsPerSecond).max().orElseThrow();
    }
}
