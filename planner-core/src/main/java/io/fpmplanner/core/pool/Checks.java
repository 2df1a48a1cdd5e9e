/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** Range checks of settings; each message names the field, what was given and what is allowed. */
final class Checks {
    private Checks() {}

    static void positive(String field, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(field + " must be a positive number, was " + value);
        }
    }

    static void between(String field, double value, double lowest, double highest) {
        if (!(value >= lowest && value <= highest)) {
            throw new IllegalArgumentException(
                    field + " must lie between " + lowest + " and " + highest + ", was " + value);
        }
    }

    static void atLeast(String field, long value, long lowest) {
        if (value < lowest) {
            throw new IllegalArgumentException(field + " must be at least " + lowest + ", was " + value);
        }
    }
}
