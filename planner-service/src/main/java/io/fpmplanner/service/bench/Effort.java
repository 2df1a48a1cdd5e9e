/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

/**
 * How much is done in a row.
 *
 * @param warmUpSeconds before the figures are taken
 * @param seconds that the figures are of
 * @param scale of rates and numbers of ranks and endpoints: 1 as in the table, less to see only that it runs
 */
record Effort(double warmUpSeconds, double seconds, double scale) {
    /** At most the given number, scaled, and at least 1. */
    int of(int full) {
        return Math.max(1, (int) Math.round(full * scale));
    }

    double rate(double full) {
        return full * scale;
    }
}
