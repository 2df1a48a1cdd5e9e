/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

/** Why a recommendation is what it is. */
public enum ReasonCode {
    /** Demand needs more replicas than there are. */
    DEMAND_ABOVE_CAPACITY,
    /** Demand would still be met by fewer replicas. */
    DEMAND_BELOW_CAPACITY,
    /** Demand fits the present fleet. */
    WITHIN_CAPACITY,
    /** A rising trend, extrapolated over the cold start, needs more replicas. */
    RISING_DEMAND,
    /** What waits must be worked off although the demand alone would fit. */
    QUEUE_BACKLOG,
    /** The predicted TTFT exceeds its objective because of waiting. */
    TTFT_ABOVE_SLO,
    /** The predicted ITL exceeds its objective. */
    ITL_ABOVE_SLO,
    /** No traffic. */
    IDLE,
    /** Requests are said to wait in front of a pool without replicas. */
    REQUESTS_AT_ZERO,
    /** Takes over what a dearer variant of the same model would need replicas for. */
    VARIANT_SHIFT,
    /** A single request on an idle replica misses its objective already; more replicas cannot mend that. */
    SLO_UNREACHABLE,
    /** No frame was ever received. */
    NO_DATA,
    /** No rank is live. */
    STALE_TELEMETRY,
    /** Some workers are silent though they were not given up. */
    PARTIAL_TELEMETRY,
    /** Too few steps were seen to know the capacity. */
    MODEL_COLD
}
