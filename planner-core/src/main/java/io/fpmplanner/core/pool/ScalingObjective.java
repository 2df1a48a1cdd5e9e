/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** What the size of a fleet is chosen for. */
public enum ScalingObjective {
    /** The fewest GPUs with which the attainment target holds. */
    SLO,
    /** The most requests that meet their objectives per GPU-second. */
    GOODPUT_PER_GPU
}
