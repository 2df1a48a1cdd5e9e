/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

/** Speeds of an otherwise idle engine, measured offline. Implementations are threadsafe and know nothing of the run. */
public interface EngineProfile {
    /** Time to compute a prompt alone, seconds. */
    double prefillSeconds(int inputTokens);

    /** Time of a step in which {@code requests} decode with contexts of {@code contextTokens} each, seconds. */
    double decodeStepSeconds(int requests, int contextTokens);
}
