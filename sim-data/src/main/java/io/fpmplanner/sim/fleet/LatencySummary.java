/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

/**
 * Quantiles of a set of measured latencies, seconds. Immutable.
 *
 * @param count measurements; &ge; 1
 */
public record LatencySummary(int count, double p50Seconds, double p90Seconds, double p99Seconds) {}
