/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

/** Distribution of prompt or output lengths in tokens. Implementations are immutable. */
public interface LengthDistribution {
    /** A length in tokens, &ge; 1. */
    int sample(RandomVariates variates);

    /** Every request alike. */
    static LengthDistribution fixed(int tokens) {
        return new LogNormal(tokens, 0, tokens, tokens);
    }

    /**
     * Log-normal with the given median, clipped.
     *
     * @param sigma standard deviation of the logarithm; 0.5 to 1 in public traces
     */
    static LengthDistribution logNormal(double median, double sigma, int lowest, int highest) {
        return new LogNormal(median, sigma, lowest, highest);
    }

    /** See {@link #logNormal}. */
    record LogNormal(double median, double sigma, int lowest, int highest) implements LengthDistribution {
        public LogNormal {
            if (lowest < 1 || highest < lowest) {
                throw new IllegalArgumentException(
                        "lengths must satisfy 1 <= lowest <= highest, were " + lowest + " and " + highest);
            }
            if (!(median >= lowest && median <= highest)) {
                throw new IllegalArgumentException(
                        "median must lie between " + lowest + " and " + highest + ", was " + median);
            }
            if (!(sigma >= 0) || sigma > 10) {
                throw new IllegalArgumentException("sigma must lie between 0 and 10, was " + sigma);
            }
        }

        @Override
        public int sample(RandomVariates variates) {
            double tokens = sigma == 0 ? median : median * StrictMath.exp(sigma * variates.gaussian());
            return (int) Math.round(Math.min(highest, Math.max(lowest, tokens)));
        }
    }
}
