/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

/** What kept a recommendation from following the demand. */
public enum LimitingFactor {
    MIN_REPLICAS,
    MAX_REPLICAS,
    /** Fewer would do, but not yet for long enough. */
    STABILISATION,
    /** Replicas that were ordered are not ready yet. */
    COLD_START,
    /** Data is missing, stale or too little to shrink on. */
    TELEMETRY
}
