/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

/** A request rate that varies in time. Implementations are immutable. */
public interface ArrivalRate {
    /** Expected requests per second at {@code seconds} after the start; in [0, {@link #peak()}]. */
    double requestsPerSecond(double seconds);

    /** An upper bound of the rate over all times, requests per second; finite. */
    double peak();

    /** The same rate for ever. */
    static ArrivalRate constant(double requestsPerSecond) {
        return new Ramp(requestsPerSecond, requestsPerSecond, 1);
    }

    /** From one rate to another in a straight line, and the latter for ever after. */
    static ArrivalRate ramp(double from, double to, double seconds) {
        return new Ramp(from, to, seconds);
    }

    /** A raised cosine: starts at {@code low}, reaches {@code high} after half a period, and repeats. */
    static ArrivalRate riseAndFall(double low, double high, double periodSeconds) {
        return new RiseAndFall(low, high, periodSeconds);
    }

    /** See {@link #ramp}. */
    record Ramp(double from, double to, double rampSeconds) implements ArrivalRate {
        public Ramp {
            requireRate("from", from);
            requireRate("to", to);
            requireDuration("rampSeconds", rampSeconds);
        }

        @Override
        public double requestsPerSecond(double seconds) {
            double share = Math.min(1, Math.max(0, seconds / rampSeconds));
            return from + (to - from) * share;
        }

        @Override
        public double peak() {
            return Math.max(from, to);
        }
    }

    /** See {@link #riseAndFall}. */
    record RiseAndFall(double low, double high, double periodSeconds) implements ArrivalRate {
        public RiseAndFall {
            requireRate("low", low);
            requireRate("high", high);
            requireDuration("periodSeconds", periodSeconds);
            if (high < low) {
                throw new IllegalArgumentException("high must be at least low (" + low + "), was " + high);
            }
        }

        @Override
        public double requestsPerSecond(double seconds) {
            return low + (high - low) * 0.5 * (1 - StrictMath.cos(2 * Math.PI * seconds / periodSeconds));
        }

        @Override
        public double peak() {
            return high;
        }
    }

    private static void requireRate(String name, double rate) {
        if (!(rate >= 0) || Double.isInfinite(rate)) {
            throw new IllegalArgumentException(name + " must be a finite rate of at least 0, was " + rate);
        }
    }

    private static void requireDuration(String name, double seconds) {
        if (!(seconds > 0) || Double.isInfinite(seconds)) {
            throw new IllegalArgumentException(name + " must be positive, was " + seconds);
        }
    }
}
