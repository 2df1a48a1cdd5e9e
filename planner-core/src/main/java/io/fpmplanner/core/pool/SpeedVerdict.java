/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** How the steps of a rank or worker compare with those of its peers. */
public enum SpeedVerdict {
    /** Too few steps, or no other worker to compare with. */
    UNKNOWN,
    /** About as fast as its peers. */
    NORMAL,
    /** Surely more than a tenth slower than its peers at equal work. */
    SLOW,
    /** Surely more than a tenth faster than its peers at equal work. */
    FAST
}
