/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/** A latency as a distribution over ranks, phases and the model's uncertainty, seconds. */
public record LatencySpread(double meanSeconds, double p50Seconds, double p90Seconds) {}
