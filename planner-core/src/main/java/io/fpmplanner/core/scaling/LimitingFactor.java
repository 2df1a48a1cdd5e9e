/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

/** What kept a recommendation from following the demand. */
public enum LimitingFactor {
    MIN_REPLICAS,
    MAX_REPLICAS,
    /** Fewer would do, but not yet for long enough. */
    STABILISATION,
    /** Fewer would do for what is expected, but not if somewhat more comes. */
    UPPER_FORECAST,
    /** More look needed, which the next seconds must confirm. */
    CONFIRMING,
    /** Replicas that were ordered are not ready yet. */
    COLD_START,
    /** No more replicas may be added or taken away at once. */
    STEP_LIMIT,
    /** The change before was too short a time ago. */
    COOLDOWN,
    /** The GPUs that the pools may have together are used up. */
    GPU_BUDGET,
    /** What is lacking is added to a variant of the model that is cheaper for what it serves. */
    CHEAPER_VARIANT,
    /** So small a change that a horizontal pod autoscaler ignores it. */
    HPA_TOLERANCE,
    /** Data is missing, stale or too little to shrink on. */
    TELEMETRY
}
