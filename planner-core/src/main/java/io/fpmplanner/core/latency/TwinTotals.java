/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import java.util.Arrays;

/** What an engine of the twin did since its sums began. Not threadsafe. */
public final class TwinTotals {
    private static final int LOAD_BINS = 64;
    private static final int MOST_COUNTED = 4096;

    private final boolean counting;
    private final int budgetTokens;
    private final double[] batchTime;
    private final double[] prefillStepTokens;
    private double busySeconds;
    private double batchSeconds;
    private double kvSeconds;
    private double queueSeconds;

    TwinTotals(int budgetTokens, int maxSequences) {
        this(true, budgetTokens, new double[Math.min(MOST_COUNTED, maxSequences) + 1], new double[LOAD_BINS + 1]);
    }

    private TwinTotals(boolean counting, int budgetTokens, double[] batchTime, double[] prefillStepTokens) {
        this.counting = counting;
        this.budgetTokens = budgetTokens;
        this.batchTime = batchTime;
        this.prefillStepTokens = prefillStepTokens;
    }

    /** Some that stay 0, for whoever does not ask. */
    static TwinTotals none() {
        return new TwinTotals(false, 1, new double[1], new double[1]);
    }

    /** Begins all sums anew. */
    public void reset() {
        if (!counting) {
            return;
        }
        busySeconds = batchSeconds = kvSeconds = queueSeconds = 0;
        Arrays.fill(batchTime, 0);
        Arrays.fill(prefillStepTokens, 0);
    }

    void pass(double seconds, boolean busy, int batch, double kvTokens, int waiting) {
        if (!counting) {
            return;
        }
        busySeconds += busy ? seconds : 0;
        batchSeconds += seconds * batch;
        batchTime[Math.min(batchTime.length - 1, batch)] += seconds;
        kvSeconds += seconds * kvTokens;
        queueSeconds += seconds * waiting;
    }

    void prefillStep(double tokens) {
        if (!counting) {
            return;
        }
        prefillStepTokens[(int) Math.min(LOAD_BINS, Math.ceil(tokens * LOAD_BINS / budgetTokens))]++;
    }

    /** Time in steps. */
    public double busySeconds() {
        return busySeconds;
    }

    /** Requests decoding, integrated over time. */
    public double batchSeconds() {
        return batchSeconds;
    }

    /** Tokens in the KV cache, integrated over time. */
    public double kvSeconds() {
        return kvSeconds;
    }

    /** Requests waiting, integrated over time. */
    public double queueSeconds() {
        return queueSeconds;
    }

    /** The decode batch that is not exceeded for a share of the time in which anything decodes. */
    public double batchQuantile(double probability) {
        return quantile(batchTime, probability);
    }

    /** The prompt tokens that a share of the steps with prefill does not exceed, to a 64th of the budget. */
    public double prefillTokensQuantile(double probability) {
        return quantile(prefillStepTokens, probability) * budgetTokens / LOAD_BINS;
    }

    private static double quantile(double[] weights, double probability) {
        double total = 0;
        for (int i = 1; i < weights.length; i++) {
            total += weights[i];
        }
        double below = 0;
        for (int i = 1; i < weights.length; i++) {
            below += weights[i];
            if (weights[i] > 0 && below >= probability * total) {
                return i;
            }
        }
        return 0;
    }
}
