/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** What becomes of a change so small that a horizontal pod autoscaler would ignore it. */
public enum HpaSteps {
    /** It is recommended all the same, and said to be too small. */
    SAY,
    /** A growth is rounded up until it is followed; a shrinking waits until it is large enough. */
    EXCEED
}
