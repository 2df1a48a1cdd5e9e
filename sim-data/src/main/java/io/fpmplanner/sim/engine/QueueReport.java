/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/** Which waiting requests an engine's records count. */
public enum QueueReport {
    /** All: vLLM since requests awaiting a remote KV cache count, SGLang as its own newest test expects. */
    COMPLETE,
    /**
     * As released before that: a disaggregated SGLang prefill engine counts requests in its bootstrap queue only, a disaggregated
     * SGLang decode engine leaves out retracted ones, and a vLLM decode engine those whose KV cache is still to come.
     */
    BLIND
}
