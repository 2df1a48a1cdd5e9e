/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

/** Adds up replica time by state. Integers, so that the order of adding does not matter. Not threadsafe. */
final class GpuMeter {
    private final int gpusEach;
    private long meteredToNanos;
    private long startingNanos;
    private long servingNanos;
    private long drainingNanos;

    GpuMeter(int gpusEach, long startNanos) {
        this.gpusEach = gpusEach;
        this.meteredToNanos = startNanos;
    }

    /** Accounts for the time since the last call, in which so many replicas were in these states. */
    void meter(long nowNanos, int starting, int serving, int draining) {
        long nanos = nowNanos - meteredToNanos;
        meteredToNanos = nowNanos;
        startingNanos += starting * nanos;
        servingNanos += serving * nanos;
        drainingNanos += draining * nanos;
    }

    GpuSeconds total() {
        return new GpuSeconds(seconds(startingNanos), seconds(servingNanos), seconds(drainingNanos));
    }

    private double seconds(long replicaNanos) {
        return gpusEach * (replicaNanos * 1e-9);
    }
}
