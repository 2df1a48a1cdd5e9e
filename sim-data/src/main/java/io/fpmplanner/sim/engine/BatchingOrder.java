/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/** How an engine composes a step, and with it whose conventions its records follow. */
public enum BatchingOrder {
    /** vLLM: running requests first, then prompt chunks in what is left of the budget, all in one step. */
    DECODE_FIRST,
    /** SGLang: while prompts wait and fit, steps of prompts only; decode steps in between. */
    PREFILL_FIRST
}
