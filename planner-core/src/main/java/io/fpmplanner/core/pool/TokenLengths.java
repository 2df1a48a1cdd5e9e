/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.List;

/** Distribution of prompt or output lengths, tokens. Immutable. */
public sealed interface TokenLengths {
    /** Longest length that may be spoken of, tokens. */
    long MAX_TOKENS = 1 << 24;

    /** Mean length, tokens, &ge; 1. */
    double mean();

    /** Standard deviation, tokens, &ge; 0. */
    double standardDeviation();

    /**
     * The length that a share of the requests does not exceed, tokens, &ge; 1.
     *
     * @param probability in (0, 1)
     */
    double quantile(double probability);

    /** Puts in the place of each probability, which must ascend, the quantile for it. */
    default void quantiles(double[] probabilities) {
        for (int i = 0; i < probabilities.length; i++) {
            probabilities[i] = quantile(probabilities[i]);
        }
    }

    /** All requests alike. */
    static TokenLengths fixed(double tokens) {
        return new Spread(tokens, 0);
    }

    /** Log-normal lengths, which is what prompts and answers of public traces look like. */
    static TokenLengths spread(double mean, double standardDeviation) {
        return new Spread(mean, standardDeviation);
    }

    /**
     * A log-normal distribution by its first two moments; lengths below 1 count as 1.
     *
     * @param mean tokens; 1 to {@value TokenLengths#MAX_TOKENS}
     * @param standardDeviation tokens; 0 to 10 times the mean
     */
    record Spread(double mean, double standardDeviation) implements TokenLengths {
        private static final double MOST_VARIATION = 10;

        public Spread {
            Checks.between("mean", mean, 1, MAX_TOKENS);
            Checks.between("standardDeviation", standardDeviation, 0, MOST_VARIATION * mean);
        }

        @Override
        public double quantile(double probability) {
            if (standardDeviation == 0) {
                return mean;
            }
            double variation = standardDeviation / mean;
            double logVariance = Math.log1p(variation * variation);
            double log = Math.log(mean) - logVariance / 2 + Math.sqrt(logVariance) * NormalQuantile.of(probability);
            return Math.max(1, Math.min(MAX_TOKENS, Math.exp(log)));
        }
    }

    /**
     * A histogram; lengths are spread evenly within a bin.
     *
     * @param bins ascending, each beginning where the one before ends, the first at 1; 1 to {@value #MAX_BINS}
     */
    record Histogram(List<Bin> bins) implements TokenLengths {
        /** Most bins of a histogram. */
        public static final int MAX_BINS = 1024;

        public Histogram {
            bins = List.copyOf(bins);
            Checks.between("bins", bins.size(), 1, MAX_BINS);
            double from = 1;
            double total = 0;
            for (Bin bin : bins) {
                Checks.between("upToTokens", bin.upToTokens, from, MAX_TOKENS);
                from = bin.upToTokens;
                total += bin.weight;
            }
            Checks.positive("weight", total);
        }

        @Override
        public double mean() {
            double sum = 0;
            double from = 1;
            for (Bin bin : bins) {
                sum += bin.weight * (from + bin.upToTokens) / 2;
                from = bin.upToTokens;
            }
            return sum / weight();
        }

        @Override
        public double standardDeviation() {
            double squares = 0;
            double from = 1;
            for (Bin bin : bins) {
                double to = bin.upToTokens;
                squares += bin.weight * (from * from + from * to + to * to) / 3;
                from = to;
            }
            double mean = mean();
            return Math.sqrt(Math.max(0, squares / weight() - mean * mean));
        }

        @Override
        public double quantile(double probability) {
            double target = probability * weight();
            double below = 0;
            double from = 1;
            for (Bin bin : bins) {
                if (bin.weight > 0 && below + bin.weight >= target) {
                    return from + (bin.upToTokens - from) * (target - below) / bin.weight;
                }
                below += bin.weight;
                from = bin.upToTokens;
            }
            return from;
        }

        @Override
        public void quantiles(double[] probabilities) {
            double total = weight();
            double below = 0;
            double from = 1;
            int next = 0;
            for (Bin bin : bins) {
                for (; next < probabilities.length && probabilities[next] * total <= below + bin.weight; next++) {
                    double share = bin.weight > 0 ? (probabilities[next] * total - below) / bin.weight : 1;
                    probabilities[next] = from + (bin.upToTokens - from) * share;
                }
                below += bin.weight;
                from = bin.upToTokens;
            }
            for (; next < probabilities.length; next++) {
                probabilities[next] = from;
            }
        }

        private double weight() {
            double total = 0;
            for (Bin bin : bins) {
                total += bin.weight;
            }
            return total;
        }
    }

    /**
     * Lengths from the end of the bin before up to the given one.
     *
     * @param upToTokens upper end, tokens, inclusive
     * @param weight how many requests, in any unit; &ge; 0
     */
    record Bin(double upToTokens, double weight) {
        public Bin {
            Checks.between("weight", weight, 0, Double.MAX_VALUE);
        }
    }
}
