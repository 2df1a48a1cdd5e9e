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
        int end = first + size(stream);
        float newest = (float) value;
        if (added[stream] >= capacity) {
            int gone = indexOf(first, end, arrived[slot]);
            System.arraycopy(sorted, gone + 1, sorted, gone, end - gone - 1);
            end--;
        }
        int place = indexOf(first, end, newest);
        System.arraycopy(sorted, place, sorted, place + 1, end - place);
        sorted[place] = newest;
        arrived[slot] = newest;
        added[stream]++;
        if (added[stream] == 2 * capacity) {
            added[stream] = capacity;
        }
    }

    /** Index of the first value that is not below {@code value}. */
    private int indexOf(int first, int end, float value) {
        int low = first;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * The value below which a share {@code probability} of future values is expected to fall: the order statistic of
     * rank {@code probability * (size + 1)}, interpolated, and held at the smallest and largest value.
     */
    double quantile(int stream, double probability) {
        int size = size(stream);
        double rank = Math.max(1, Math.min(size, probability * (size + 1)));
        int below = (int) rank;
        int first = stream * capacity - 1;
        double low = sorted[first + below];
        return below == size ? low : low + (rank - below) * (sorted[first + below + 1] - low);
    }
}
