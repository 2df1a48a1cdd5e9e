/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import io.fpmplanner.sim.workload.RandomVariates;

/**
 * Another law with multiplicative log-normal noise and rare stragglers. Not threadsafe; equal seeds give equal noise.
 *
 * <p>The median of the noise is 1.
 */
public final class NoisyLaw implements StepTimeLaw {
    private final StepTimeLaw law;
    private final Noise noise;
    private final RandomVariates variates;

    public NoisyLaw(StepTimeLaw law, Noise noise, long seed) {
        this.law = law;
        this.noise = noise;
        this.variates = new RandomVariates(seed);
    }

    @Override
    public double seconds(StepBatch batch) {
        double factor = noise.sigma() == 0 ? 1 : StrictMath.exp(noise.sigma() * variates.gaussian());
        boolean straggles = variates.uniform() < noise.stragglerShare();
        return law.seconds(batch) * factor * (straggles ? noise.stragglerFactor() : 1);
    }

    /**
     * How noisy. Immutable.
     *
     * @param sigma standard deviation of the logarithm; &ge; 0
     * @param stragglerShare share of steps that straggle; in [0, 1]
     * @param stragglerFactor how many times longer those take; &ge; 1
     */
    public record Noise(double sigma, double stragglerShare, double stragglerFactor) {
        public Noise {
            if (!(sigma >= 0) || sigma > 5) {
                throw new IllegalArgumentException("sigma must lie between 0 and 5, was " + sigma);
            }
            if (!(stragglerShare >= 0 && stragglerShare <= 1)) {
                throw new IllegalArgumentException("stragglerShare must lie between 0 and 1, was " + stragglerShare);
            }
            if (!(stragglerFactor >= 1) || Double.isInfinite(stragglerFactor)) {
                throw new IllegalArgumentException("stragglerFactor must be at least 1, was " + stragglerFactor);
            }
        }

        /** 3 % and one step in a thousand five times as long: a calm production engine. */
        public static Noise calm() {
            return new Noise(0.03, 0.001, 5);
        }
    }
}
