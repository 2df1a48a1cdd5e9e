/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Lengths of single prompts as frames let them be told, in bins of a quarter octave that fade. Not threadsafe. */
final class PromptLengths {
    /*
     * A step that cuts no prompt and has one tells its length; one with two tells both by their variance, more are taken as two
     * kinds. Those of steps that cut one are not seen, and among them long ones are a little more frequent; the mean is known
     * better by flow balance. So the weights are tilted by a power of the length until the mean is that one, which moves a
     * log-normal distribution without changing its shape.
     */
    private static final int BINS = 4 * 24;
    private static final double PER_OCTAVE = 4 / Math.log(2);
    private static final double FADE_SECONDS = 200;
    private static final double FEWEST = 60;
    private static final double MOST_TILT = 1;
    private static final int BISECTIONS = 30;

    private static final double[] CENTRES = new double[BINS];
    private static final double[] LOG_CENTRES = new double[BINS];

    static {
        for (int i = 0; i < BINS; i++) {
            CENTRES[i] = (edge(i) + edge(i + 1)) / 2;
            LOG_CENTRES[i] = Math.log(CENTRES[i]);
        }
    }

    private final double[] weights = new double[BINS];
    private double total;

    /** Counts of one tick. */
    static final class Counts {
        private final int[] bins = new int[BINS];
        private boolean any;

        /** The prompts of a step, whose full lengths are summed here. */
        void add(long prompts, double tokens, double variance) {
            double mean = tokens / prompts;
            double deviation = prompts > 1 ? Math.sqrt(Math.max(0, variance)) : 0;
            long longer = prompts / 2;
            bins[bin(mean - deviation)] += (int) (prompts - longer);
            if (longer > 0) {
                bins[bin(mean + deviation)] += (int) longer;
            }
            any = true;
        }

        void addAll(Counts other) {
            if (other.any) {
                for (int i = 0; i < BINS; i++) {
                    bins[i] += other.bins[i];
                }
                any = true;
            }
        }

        void clear() {
            if (any) {
                Arrays.fill(bins, 0);
                any = false;
            }
        }
    }

    private static int bin(double tokens) {
        return tokens <= 1 ? 0 : Math.min(BINS - 1, (int) (PER_OCTAVE * Math.log(tokens)));
    }

    private static double edge(int bin) {
        return Math.exp(bin / PER_OCTAVE);
    }

    /** Takes a tick. */
    void add(Counts counts, double seconds) {
        double kept = Math.exp(-seconds / FADE_SECONDS);
        total = 0;
        for (int i = 0; i < BINS; i++) {
            weights[i] = weights[i] * kept + counts.bins[i];
            total += weights[i];
        }
    }

    /** The distribution with that mean; empty while too few prompts were seen or they do not go with it. */
    Optional<TokenLengths> withMean(OptionalDouble mean) {
        if (total < FEWEST || mean.isEmpty()) {
            return Optional.empty();
        }
        double low = -MOST_TILT;
        double high = MOST_TILT;
        if (mean(low) > mean.getAsDouble() || mean(high) < mean.getAsDouble()) {
            return Optional.empty();
        }
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            boolean more = mean(middle) < mean.getAsDouble();
            low = more ? middle : low;
            high = more ? high : middle;
        }
        return Optional.of(histogram(low));
    }

    /* As TokenLengths.Histogram has it, which spreads lengths evenly within a bin. */
    private double mean(double tilt) {
        double sum = 0;
        double weight = 0;
        for (int i = 0; i < BINS; i++) {
            if (weights[i] > 0) {
                double tilted = weights[i] * Math.exp(tilt * LOG_CENTRES[i]);
                sum += tilted * CENTRES[i];
                weight += tilted;
            }
        }
        return sum / weight;
    }

    private TokenLengths histogram(double tilt) {
        List<TokenLengths.Bin> bins = new ArrayList<>();
        double from = 1;
        for (int i = 0; i < BINS; i++) {
            if (weights[i] > 0) {
                double lower = edge(i);
                double upper = Math.min(TokenLengths.MAX_TOKENS, edge(i + 1));
                if (lower > from) {
                    bins.add(new TokenLengths.Bin(lower, 0));
                }
                bins.add(new TokenLengths.Bin(upper, weights[i] * Math.pow((lower + upper) / 2, tilt)));
                from = upper;
            }
        }
        return new TokenLengths.Histogram(bins);
    }
}
