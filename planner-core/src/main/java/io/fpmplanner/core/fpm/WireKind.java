/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

/** What the value of a key on the wire is. */
enum WireKind {
    VERSION,
    WORKER_ID,
    TIMING_SCOPE,
    DP_RANK,
    COUNT,
    REAL,
    SCHEDULED,
    QUEUED
}
