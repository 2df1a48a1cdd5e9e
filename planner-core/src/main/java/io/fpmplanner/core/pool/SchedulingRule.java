/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** How an engine fills the token budget of a step. */
public enum SchedulingRule {
    /** vLLM: running decodes first, prefill chunks in what is left of the budget, in one mixed batch. */
    DECODE_FIRST,
    /** SGLang by default: waiting prompts first in a batch of their own; decodes stall meanwhile. */
    PREFILL_FIRST
}
