/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

/** The least of the newest few values: a need counts once it lasted. Not threadsafe. */
final class Confirmation {
    /*
     * Long enough for a burst to pass, short against any cold start. A tick as long as this confirms itself, if all frames of
     * it were seen: a single look at a sample tells the demand to a fifth, and orders given on it are given back.
     */
    private static final long LASTED_NANOS = 2_000_000_000L;
    private static final int CAPACITY = 64;

    private final long[] times = new long[CAPACITY];
    private final int[] values = new int[CAPACITY];
    private int newest = -1;
    private int size;

    /**
     * Adds the newest value.
     *
     * @param lookSeconds from look to look where only samples are seen, so that two of them agree; else 0
     */
    int least(long nowNanos, int value, double lookSeconds) {
        newest = (newest + 1) % CAPACITY;
        size = Math.min(CAPACITY, size + 1);
        times[newest] = nowNanos;
        values[newest] = value;
        int least = value;
        long lasted = LASTED_NANOS + (long) (lookSeconds * 1e9);
        for (int age = 1; age < size; age++) {
            int index = Math.floorMod(newest - age, CAPACITY);
            if (nowNanos - times[index] > lasted) {
                break;
            }
            least = Math.min(least, values[index]);
        }
        return least;
    }
}
