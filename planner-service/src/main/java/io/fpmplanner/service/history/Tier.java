/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.history;

import io.fpmplanner.models.Evidence;
import java.util.Arrays;

/**
 * A ring of equal steps of time, each with one value a series: the mean of what was known within it, or the last. The
 * newest step is still open. Not threadsafe; its memory never grows.
 */
final class Tier {
    /** A step in which nothing was added has no slot. */
    private static final long NONE = Long.MIN_VALUE;

    private final long stepMillis;
    private final int capacity;
    private final long[] starts;
    private final float[] values;
    private final Evidence[] evidence;
    private final double[] sums = new double[Series.count()];
    private final int[] counts = new int[Series.count()];
    private long added;

    Tier(long stepMillis, int capacity) {
        this.stepMillis = stepMillis;
        this.capacity = capacity;
        this.starts = new long[capacity];
        this.values = new float[capacity * Series.count()];
        this.evidence = new Evidence[capacity];
    }

    long stepMillis() {
        return stepMillis;
    }

    long spanMillis() {
        return stepMillis * capacity;
    }

    /** Adds a row at a moment; one before the open step, as after a clock was set back, belongs to that. */
    void add(long nowMillis, double[] row, Evidence now) {
        long start = Math.floorDiv(nowMillis, stepMillis) * stepMillis;
        if (start > newestStart()) {
            added++;
            Arrays.fill(sums, 0);
            Arrays.fill(counts, 0);
            starts[newest()] = start;
            Arrays.fill(values, newest() * Series.count(), (newest() + 1) * Series.count(), Float.NaN);
        }
        for (Series series : Series.values()) {
            merge(series, row[series.index()]);
        }
        evidence[newest()] = now;
    }

    private void merge(Series series, double value) {
        int index = series.index();
        int place = newest() * Series.count() + index;
        if (series.merging() == Series.Merging.LAST) {
            values[place] = (float) value;
        } else if (series.merging() == Series.Merging.MAX) {
            if (!(values[place] >= value) && !Double.isNaN(value)) {
                values[place] = (float) value;
            }
        } else if (!Double.isNaN(value)) {
            sums[index] += value;
            counts[index]++;
            values[place] = (float) (sums[index] / counts[index]);
        }
    }

    private int newest() {
        return (int) ((added - 1) % capacity);
    }

    private long newestStart() {
        return added == 0 ? NONE : starts[newest()];
    }

    /** Steps held, oldest first. */
    int size() {
        return (int) Math.min(added, capacity);
    }

    private int slot(int index) {
        return (int) ((added - size() + index) % capacity);
    }

    /** The first step that ends after the moment; {@link #size()} if there is none. */
    int firstAfter(long millis) {
        int low = 0;
        int high = size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (startMillis(middle) + stepMillis > millis) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    long startMillis(int index) {
        return starts[slot(index)];
    }

    /** NaN where nothing was known. */
    float value(int index, Series series) {
        return values[slot(index) * Series.count() + series.index()];
    }

    Evidence evidence(int index) {
        return evidence[slot(index)];
    }

    /** Bytes that its arrays take. */
    long bytes() {
        return (long) capacity * (Long.BYTES + Integer.BYTES + (long) Float.BYTES * Series.count());
    }
}
