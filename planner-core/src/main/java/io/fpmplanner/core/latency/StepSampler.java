/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.ModelReport.LargestSeen;
import io.fpmplanner.models.RegimeReadiness;
import io.fpmplanner.models.StepRegime;
import io.fpmplanner.models.StepTimePredictor;
import io.fpmplanner.models.StepTimeSnapshot;
import io.fpmplanner.models.StepWorkload;

/**
 * Learned step times for simulations that ask thousands of times: mean and random times of steps, gap to the next step
 * included. Allocates nothing per call; one thread.
 */
public final class StepSampler {
    /*
     * The errors of a regime are taken as a factor of the mean, the same for all its steps: LEVELS evenly likely
     * quantiles. They are read at the middle of what was
     * seen, because beyond it quantiles widen with the doubt about the fit, which is not noise from step to step.
     * Their mean is 1, so that sums come out as learned, and their median is as learned too: the few levels of the upper tail
     * hold stalls much rarer than a level, and scaling all levels by them would make the usual step 5 % too quick.
     */
    private static final int LEVELS = StepTimePredictor.EVEN_LEVELS;
    private static final double NEGLIGIBLE = 0.05;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final StepTimePredictor predictor;
    private final StepTimeSnapshot snapshot;
    private final double gapSeconds;
    private final boolean knowsVariance;
    private final StepWorkload step = new StepWorkload();
    private final Regime prefill = new Regime();
    private final Regime decode = new Regime();
    private final Regime mixed = new Regime();
    private double speedFactor = 1;
    private long random;

    /** Of a model that has learned something; equal seeds give equal random times. */
    public StepSampler(StepTimeSnapshot snapshot, double gapSeconds, long seed) {
        this.snapshot = snapshot;
        this.predictor = snapshot.predictor();
        this.gapSeconds = gapSeconds;
        this.random = seed;
        LargestSeen seen = snapshot.report().seen();
        this.knowsVariance = seen.knowsPromptVariance();
        double requests = Math.max(1, seen.prefillRequests() / 2);
        double tokens = Math.max(requests, seen.prefillTokens() / 2);
        double decodes = Math.max(1, seen.decodeRequests() / 2);
        double context = Math.max(1, seen.decodeKvTokens() / 2);
        fillFactors(prefill, step.prefill(requests, tokens, 0, 0).decode(0, 0, 0));
        fillFactors(decode, step.prefill(0, 0, 0, 0).decode(decodes, context, 0));
        fillFactors(mixed, step.prefill(requests, tokens, 0, 0).decode(decodes, context, 0));
    }

    /** An independent one of the same model and gap, for another thread; for means only. */
    StepSampler(StepSampler other) {
        this.snapshot = other.snapshot;
        this.predictor = other.snapshot.predictor();
        this.gapSeconds = other.gapSeconds;
        this.knowsVariance = other.knowsVariance;
    }

    /** What is kept of one regime. */
    private static final class Regime {
        private final double[] factors = new double[LEVELS];
        private long asked;
    }

    private Regime of(StepRegime regime) {
        return switch (regime) {
            case PREFILL -> prefill;
            case DECODE -> decode;
            case MIXED -> mixed;
        };
    }

    private void fillFactors(Regime regime, StepWorkload typical) {
        double[] levels = regime.factors;
        double mean = predictor.meanSeconds(typical);
        double sum = 0;
        predictor.evenQuantileSeconds(typical, levels);
        for (int i = 0; i < LEVELS; i++) {
            levels[i] /= mean;
            sum += levels[i];
        }
        double middle = levels[LEVELS / 2];
        double above = 0;
        for (int i = LEVELS / 2 + 1; i < LEVELS; i++) {
            above += levels[i] - middle;
        }
        double stretch = above > 0 ? 1 - (sum - LEVELS) / above : 0;
        for (int i = 0; i < LEVELS; i++) {
            levels[i] = stretch <= 0
                    ? levels[i] * LEVELS / sum
                    : i > LEVELS / 2 ? middle + stretch * (levels[i] - middle) : levels[i];
        }
    }

    /** From here on steps of a rank that takes this many times as long as a typical one; gaps stay as they are. */
    public void at(double factor) {
        speedFactor = factor;
    }

    /** Begins the random sequence anew. */
    public void seed(long seed) {
        random = seed;
    }

    /** Mean time of a decode-only step, seconds. */
    public double decodeSeconds(double requests, double kvTokens, double kvVariance) {
        step.prefill(0, 0, 0, 0).decode(requests, kvTokens, kvVariance);
        decode.asked++;
        return speedFactor * predictor.meanSeconds(step) + gapSeconds;
    }

    /** Prefill of the step that {@link #withPrefillSeconds} is asked about; the variance is that of full prompts. */
    public StepSampler prefill(double requests, double tokens, double kvTokens, double lengthVariance) {
        step.prefill(requests, tokens, kvTokens, knowsVariance ? lengthVariance : 0);
        return this;
    }

    /** Mean time of a step with the given {@link #prefill} and decodes beside it, maybe none, seconds. */
    public double withPrefillSeconds(double requests, double kvTokens, double kvVariance) {
        step.decode(requests, kvTokens, kvVariance);
        (requests > 0 ? mixed : prefill).asked++;
        return speedFactor * predictor.meanSeconds(step) + gapSeconds;
    }

    /** A random factor of the regime, of mean 1. */
    public double randomFactor(StepRegime regime) {
        return of(regime).factors[(int) (nextBits() >>> 58)];
    }

    /** The factor of the regime that a share of its steps stays below. */
    public double factor(StepRegime regime, int level) {
        return of(regime).factors[level];
    }

    static int levels() {
        return LEVELS;
    }

    /** A uniform number in [0, 1) of the same sequence. */
    public double uniform() {
        return (nextBits() >>> 11) * 0x1.0p-53;
    }

    /** That many random bits of the same sequence. */
    int bits(int count) {
        return (int) (nextBits() >>> (64 - count));
    }

    /* SplitMix64: Steele, Lea and Flood, OOPSLA 2014. */
    private long nextBits() {
        random += MULTIPLIER;
        long z = random;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Forgets which steps were asked for. */
    public void restart() {
        prefill.asked = decode.asked = mixed.asked = 0;
    }

    /** How far a step with these loads lies beyond all that was seen: 1 if it does not. */
    public double extrapolation(double prefillTokens, double decodeRequests, double decodeKvTokens) {
        step.prefill(prefillTokens > 0 ? 1 : 0, prefillTokens, 0, 0).decode(decodeRequests, decodeKvTokens, 0);
        return step.isEmpty() ? 1 : snapshot.extrapolation(step);
    }

    /**
     * How far a prompt that is computed in chunks is longer than the longest that a step ended with, so many tokens of it and
     * of what was computed before: 1 if it is not, or hardly.
     */
    double contextExtrapolation(double promptTokens) {
        return snapshot.contextExtrapolation(promptTokens);
    }

    /**
     * The least evidence of the regimes of the steps asked for, READY or WARMING. One that hardly occurs does not count: a
     * prompt that meets an idle engine once in a while does not make doubtful what all others see.
     */
    public Evidence evidence() {
        long withPrefill = prefill.asked + mixed.asked;
        Evidence least = Evidence.READY;
        for (RegimeReadiness regime : snapshot.readiness()) {
            long asked = of(regime.regime()).asked;
            long alike = regime.regime() == StepRegime.DECODE ? withPrefill + asked : withPrefill;
            if (asked > NEGLIGIBLE * alike && regime.evidence() != Evidence.READY) {
                /* A regime never seen borrows from its relatives; the answer is rough, not void. */
                least = Evidence.WARMING;
            }
        }
        return least;
    }
}
