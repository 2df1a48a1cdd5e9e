/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/** Which phases of a request an engine computes. */
public enum EngineKind {
    /** Prompt and generation. */
    AGGREGATED,
    /** The prompt and the first token; the KV cache is then handed over. */
    PREFILL_ONLY,
    /** Everything after the first token, on a KV cache received from elsewhere. */
    DECODE_ONLY
}
