/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

/** Range checks of the service's own settings; a message starts with the field, which the binder prefixes by its path. */
final class Range {
    private Range() {}

    static void check(String field, double value, double lowest, double highest) {
        if (!(value >= lowest && value <= highest)) {
            throw new IllegalArgumentException(
                    field + " must lie between " + text(lowest) + " and " + text(highest) + ", was " + text(value));
        }
    }

    private static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value) : "" + value;
    }
}
