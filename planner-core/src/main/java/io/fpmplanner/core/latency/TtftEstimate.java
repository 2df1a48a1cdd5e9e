/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.Role;

/** Time to first token of a request that arrives at a rank now. */
final class TtftEstimate {
    /*
     * The request arrives at any phase of the running step alike. A step of more than LONG_STEP_SECONDS is longer than
     * the time between ticks, so there its known age says more than a uniform phase.
     * The errors of single steps are taken as independent: over m steps their relative spread shrinks by sqrt(m).
     */
    private static final double LONG_STEP_SECONDS = 1.5;
    private static final double[] PHASES = {0.1, 0.3, 0.5, 0.7, 0.9};
    private static final double[] PROBABILITIES = {0.1, 0.5, 0.9};

    private final StepTimes times;
    private double weightedWait;
    private double weights;

    TtftEstimate(StepTimes times) {
        this.times = times;
    }

    /** Adds the distribution in one state of a rank. */
    void add(RankMoment moment, LatencyQuery query, double weight, WeightedSamples into) {
        if (moment.role() == Role.DECODE) {
            add(AdmissionReplay.run(moment, times, (double) query.inputTokens()), moment, weight, into);
            return;
        }
        double hidden = 0;
        if (!moment.isBusy()) {
            PrefillReplay.Outcome behind = replay(moment, query).runBehindHiddenStep();
            hidden = moment.hiddenStepChance(behind.runningStepSeconds());
            add(behind, moment, weight * hidden, into);
        }
        add(replay(moment, query).run(), moment, weight * (1 - hidden), into);
    }

    private PrefillReplay replay(RankMoment moment, LatencyQuery query) {
        return new PrefillReplay(moment, times, (double) query.uncachedTokens(), (double) query.cachedTokens());
    }

    private void add(PrefillReplay.Outcome outcome, RankMoment moment, double weight, WeightedSamples into) {
        if (weight <= 0) {
            return;
        }
        double[] factors = factors(outcome.steps());
        for (double phase : PHASES) {
            double residual =
                    residual(outcome.runningStepSeconds(), phase, moment.load().ageSeconds());
            for (double factor : factors) {
                into.add(residual + factor * outcome.seconds(), weight);
            }
            weightedWait += weight * (residual + outcome.waitSeconds());
            weights += weight;
        }
    }

    double meanWaitSeconds() {
        return weights == 0 ? 0 : weightedWait / weights;
    }

    private static double residual(double stepSeconds, double phase, double ageSeconds) {
        return stepSeconds > LONG_STEP_SECONDS ? Math.max(0, stepSeconds - ageSeconds) : (1 - phase) * stepSeconds;
    }

    /** Ratios to the mean of the request's last step, narrowed for a sum of many. */
    private double[] factors(double steps) {
        double mean = times.meanSeconds();
        double[] factors = new double[PROBABILITIES.length];
        for (int i = 0; i < factors.length; i++) {
            double ratio = times.quantileSeconds(PROBABILITIES[i]) / mean;
            factors[i] = Math.max(0, 1 + (ratio - 1) / Math.sqrt(steps));
        }
        return factors;
    }
}
