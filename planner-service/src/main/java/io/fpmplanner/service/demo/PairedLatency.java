/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import java.util.Arrays;
import java.util.Optional;

/** Predictions and what was then measured, request by request; the latest 16,384. Threadsafe. */
final class PairedLatency {
    private static final int CAPACITY = 16_384;

    private final double[] predicted = new double[CAPACITY];
    private final double[] measured = new double[CAPACITY];
    private final double sloSeconds;
    private long pairs;
    private long withinSlo;

    PairedLatency(double sloSeconds) {
        this.sloSeconds = sloSeconds;
    }

    synchronized void add(double predictedSeconds, double measuredSeconds) {
        int slot = (int) (pairs++ % CAPACITY);
        predicted[slot] = predictedSeconds;
        measured[slot] = measuredSeconds;
        withinSlo += measuredSeconds <= sloSeconds ? 1 : 0;
    }

    /** Empty before the first pair. */
    synchronized Optional<Summary> summary() {
        if (pairs == 0) {
            return Optional.empty();
        }
        int count = (int) Math.min(pairs, CAPACITY);
        return Optional.of(
                new Summary(pairs, median(predicted, count), median(measured, count), (double) withinSlo / pairs));
    }

    private static double median(double[] values, int count) {
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    }

    /**
     * All pairs in short.
     *
     * @param count pairs, &ge; 1
     * @param sloMetShare share of the measured ones within the objective, 0 to 1
     */
    record Summary(long count, double predictedP50Seconds, double measuredP50Seconds, double sloMetShare) {
        /** Relative deviation of the predicted median from the measured one; positive when too high. */
        double deviation() {
            return predictedP50Seconds / measuredP50Seconds - 1;
        }
    }
}
