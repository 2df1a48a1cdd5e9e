/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** What happened in the ticks of the recent past, column by column. One writer, not threadsafe. */
interface Flows {
    /** Adds one tick; {@code row} is copied. */
    void add(long nowNanos, long[] row);

    /** Sum of a column over the whole past that is kept. */
    double sum(int column);

    /** Mean per second of a column over its newest part; column 0 holds the lengths of the ticks, nanoseconds. */
    double recentRate(int column);
}
