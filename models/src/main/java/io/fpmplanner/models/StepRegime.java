/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** What a step computes. A step with neither prefill nor decode work has no regime: it is not a step. */
public enum StepRegime {
    /** Prefill chunks only. */
    PREFILL,
    /** Decode requests only, one token each (or more under speculation). */
    DECODE,
    /** Prefill chunks and decode requests in one batch. */
    MIXED
}
