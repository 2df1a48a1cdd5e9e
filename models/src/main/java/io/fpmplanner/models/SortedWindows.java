/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/**
 * The last few values of each of many small streams, kept in order of size. Not threadsafe; allocates nothing after
 * construction.
 */
final class SortedWindows {
    private final int capacity;
    /** Per stream a ring in order of arrival. */
    private final float[] arrived;
    /** Per stream the same values ascending. */
    private final float[] sorted;

    private final int[] added;

    SortedWindows(int streams, int capacity) {
        this.capacity = capacity;
        this.arrived = new float[streams * capacity];
        this.sorted = new float[streams * capacity];
        this.added = new int[streams];
    }

    /** Values held of a stream, 0 to the capacity. */
    int size(int stream) {
        return Math.min(added[stream], capacity);
    }

    /** Adds a value, which must not be NaN, in place of the oldest if the window is full. */
    void add(int stream, double value) {
        int first = stream * capacity;
        int slot = first + added[stream] % capacity;
        int size = size(stream);
        float newest = (float) value;
        int place = first + below(first, size, newest);
        int gone = size == capacity ? first + below(first, size, arrived[slot]) : first + size;
        if (place > gone) {
            place--;
            System.arraycopy(sorted, gone + 1, sorted, gone, place - gone);
        } else {
            System.arraycopy(sorted, place, sorted, place + 1, gone - place);
        }
        sorted[place] = newest;
        arrived[slot] = newest;
        added[stream]++;
        if (added[stream] == 2 * capacity) {
            added[stream] = capacity;
        }
    }

    /*
     * How many of the values are below this one. Which half of the rest it is nobody can foretell, so that a branch would be
     * wrong every other time; the sign of the difference moves on instead, and at the same pace whatever it is.
     */
    private int below(int first, int size, float value) {
        int low = first;
        int left = size;
        while (left > 0) {
            int half = (left + 1) >>> 1;
            low += half & sign(sorted[low + half - 1] - value);
            left -= half;
        }
        return low - first;
    }

    /** All ones below 0, else 0. */
    private static int sign(float number) {
        return Float.floatToRawIntBits(number) >> 31;
    }

    /**
     * The value below which a share {@code probability} of future values is expected to fall: the order statistic of
     * rank {@code probability * (size + 1)}, interpolated, and held at the smallest and largest value.
     */
    double quantile(int stream, double probability) {
        int size = size(stream);
        double rank = Finite.max(1, Finite.min(size, probability * (size + 1)));
        int below = (int) rank;
        int first = stream * capacity - 1;
        double low = sorted[first + below];
        return below == size ? low : low + (rank - below) * (sorted[first + below + 1] - low);
    }
}
