/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

/**
 * GPU time a pool has cost so far, by what its replicas were doing. Immutable.
 *
 * @param starting GPU-seconds of replicas placed and not yet ready
 * @param serving GPU-seconds of replicas that took requests
 * @param draining GPU-seconds of replicas that finished what they had
 */
public record GpuSeconds(double starting, double serving, double draining) {
    /** All of it, GPU-seconds. */
    public double total() {
        return starting + serving + draining;
    }
}
