/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/**
 * Distribution of a latency over ranks, requests, phases and the model's uncertainty, seconds.
 *
 * @param meanSeconds mean
 * @param p50Seconds half of the requests or tokens see less
 * @param p90Seconds nine in ten see less
 * @param p99Seconds 99 in a hundred see less
 */
public record LatencySpread(double meanSeconds, double p50Seconds, double p90Seconds, double p99Seconds) {}
