/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

import java.util.SplittableRandom;

/**
 * Seeded random numbers of the shapes a simulation needs. Not threadsafe.
 *
 * <p>Equal seeds give equal numbers on every JDK and every processor.
 */
public final class RandomVariates {
    /*
     * The JDK's own nextGaussian and nextExponential changed their algorithm between releases, and Math.log may differ
     * in the last bit between processors. SplittableRandom's bits and StrictMath are specified, so only those are used.
     */
    private final SplittableRandom random;
    private double spareGaussian = Double.NaN;

    public RandomVariates(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Uniform in [0, 1). */
    public double uniform() {
        return random.nextDouble();
    }

    /** Exponential with mean 1. */
    public double exponential() {
        return -StrictMath.log(1.0 - random.nextDouble());
    }

    /** Standard normal, by Marsaglia's polar method (Marsaglia and Bray, SIAM Review 6, 1964). */
    public double gaussian() {
        if (!Double.isNaN(spareGaussian)) {
            double spare = spareGaussian;
            spareGaussian = Double.NaN;
            return spare;
        }
        double u;
        double v;
        double s;
        do {
            u = 2 * random.nextDouble() - 1;
            v = 2 * random.nextDouble() - 1;
            s = u * u + v * v;
        } while (s >= 1 || s == 0);
        double factor = Math.sqrt(-2 * StrictMath.log(s) / s);
        spareGaussian = v * factor;
        return u * factor;
    }
}
