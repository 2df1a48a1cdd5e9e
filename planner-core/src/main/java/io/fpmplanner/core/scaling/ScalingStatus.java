/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

/** Verdict on a pool's present size. */
public enum ScalingStatus {
    RIGHT_SIZED,
    UNDER_PROVISIONED,
    OVER_PROVISIONED,
    /** Data is missing, stale or too little: the present size is held. */
    UNDECIDED
}
