/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** The lesser and the greater of numbers that are not NaN. Of a positive and a negative zero either may come out. */
final class Finite {
    /*
     * Math.min and Math.max have to think of NaN and of the sign of zero, which takes five instructions that wait for each
     * other; learning asks about a hundred times a frame. A comparison whose outcome hardly ever changes costs next to nothing.
     */
    private Finite() {}

    static double min(double one, double other) {
        return other < one ? other : one;
    }

    static double max(double one, double other) {
        return one < other ? other : one;
    }

    /** The value, or the nearest to it within {@code -limit} to {@code limit}. */
    static double clip(double value, double limit) {
        return max(-limit, min(limit, value));
    }
}
