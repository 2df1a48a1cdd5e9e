/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** What the workers of a pool compute. */
public enum Role {
    /** Prompts only; the KV cache is then moved to a decode pool. */
    PREFILL,
    /** Token generation only, over KV caches computed by a prefill pool. */
    DECODE,
    /** Both, in one engine. */
    AGGREGATED
}
