/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** Whether what is recommended for a pool is meant to be acted upon. */
public enum ScalingMode {
    /** Scalers are given the number. */
    ACT,
    /** Decided and published for people; scalers are refused the number, and it is never taken for an order. */
    ADVISORY
}
