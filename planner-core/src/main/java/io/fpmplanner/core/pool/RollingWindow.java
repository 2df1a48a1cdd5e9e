/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.Arrays;

/**
 * The newest rows of some integer columns, bounded by age and number, with the sum of each column at hand.
 *
 * <p>Adding costs O(columns) amortised. Memory grows by doubling up to the bound and is then reused, so that a full
 * window allocates nothing. Sums are exact. Not threadsafe.
 */
final class RollingWindow {
    /*
     * A ring of rows in one long[]: integers, because running sums of doubles that are added and subtracted drift.
     * Times are kept as nanoseconds for the same reason.
     */
    private static final int FIRST_ROWS = 16;

    private final int columns;
    private final int maxRows;
    private final long maxAgeNanos;
    private final long[] sums;
    private long[] values;
    private long[] times;
    private int head;
    private int size;

    /**
     * @param columns values in a row
     * @param maxRows rows kept at most, &ge; 1
     * @param maxAgeNanos rows older than this, seen from the newest, are dropped
     */
    RollingWindow(int columns, int maxRows, long maxAgeNanos) {
        this.columns = columns;
        this.maxRows = maxRows;
        this.maxAgeNanos = maxAgeNanos;
        this.sums = new long[columns];
        int rows = Math.min(FIRST_ROWS, maxRows);
        this.values = new long[rows * columns];
        this.times = new long[rows];
    }

    /** Adds a row, of which the first {@code columns} values are taken; the oldest row makes place if need be. */
    void add(long atNanos, long[] row) {
        expire(atNanos);
        if (size == maxRows) {
            dropOldest();
        }
        if (size == times.length) {
            grow();
        }
        int slot = slot(size);
        times[slot] = atNanos;
        int base = slot * columns;
        for (int i = 0; i < columns; i++) {
            values[base + i] = row[i];
            sums[i] += row[i];
        }
        size++;
    }

    /** Adds to the values of the newest row, of which there must be one. */
    void merge(long[] row) {
        int base = slot(size - 1) * columns;
        for (int i = 0; i < columns; i++) {
            values[base + i] += row[i];
            sums[i] += row[i];
        }
    }

    /** Drops the rows that are too old at the given moment. */
    void expire(long nowNanos) {
        while (size > 0 && nowNanos - times[head] > maxAgeNanos) {
            dropOldest();
        }
    }

    void clear() {
        head = 0;
        size = 0;
        Arrays.fill(sums, 0);
    }

    int size() {
        return size;
    }

    long sum(int column) {
        return sums[column];
    }

    /** Value in a row, 0 being the oldest. */
    long value(int row, int column) {
        return values[slot(row) * columns + column];
    }

    /** Age of a row at the given moment, 0 being the oldest. */
    long ageNanos(int row, long nowNanos) {
        return nowNanos - times[slot(row)];
    }

    /** Age of the oldest row at the given moment, nanoseconds; 0 when empty. */
    long spanNanos(long nowNanos) {
        return size == 0 ? 0 : Math.max(0, nowNanos - times[head]);
    }

    private void dropOldest() {
        int base = head * columns;
        for (int i = 0; i < columns; i++) {
            sums[i] -= values[base + i];
        }
        head = head + 1 == times.length ? 0 : head + 1;
        size--;
    }

    private int slot(int row) {
        int slot = head + row;
        return slot < times.length ? slot : slot - times.length;
    }

    private void grow() {
        int rows = Math.min(maxRows, 2 * times.length);
        long[] biggerValues = new long[rows * columns];
        long[] biggerTimes = new long[rows];
        for (int row = 0; row < size; row++) {
            int slot = slot(row);
            biggerTimes[row] = times[slot];
            System.arraycopy(values, slot * columns, biggerValues, row * columns, columns);
        }
        values = biggerValues;
        times = biggerTimes;
        head = 0;
    }
}
