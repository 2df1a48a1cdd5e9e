/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Speed;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.RegimeReadiness;
import io.fpmplanner.models.StepRegime;
import io.fpmplanner.models.StepTimePredictor;
import io.fpmplanner.models.StepTimeSnapshot;
import io.fpmplanner.models.StepWorkload;
import java.util.EnumMap;
import java.util.Map;

/**
 * Step times of one pool, gap to the next step included, with a record of the least evidence they rested on. One
 * thread, made per query.
 */
public final class StepTimes {
    private final StepTimePredictor predictor;
    private final double gapSeconds;
    private final boolean knowsVariance;
    private final StepWorkload step = new StepWorkload();
    private final Map<StepRegime, Evidence> learned = new EnumMap<>(StepRegime.class);
    private Evidence weakest = Evidence.READY;
    private double speedFactor = 1;

    /** Step times as the model of the pool has learned them; it must have learned something. */
    public StepTimes(PoolView pool) {
        this(pool.model().snapshot(), pool.load().gapSeconds());
    }

    StepTimes(StepTimeSnapshot snapshot, double gapSeconds) {
        this.predictor = snapshot.predictor();
        this.gapSeconds = gapSeconds;
        this.knowsVariance = snapshot.report().seen().knowsPromptVariance();
        for (RegimeReadiness regime : snapshot.readiness()) {
            learned.put(regime.regime(), regime.evidence());
        }
    }

    /** Seconds between two steps that wall times do not hold. */
    public double gapSeconds() {
        return gapSeconds;
    }

    /** Whether any step with decodes was learned. */
    public boolean knowsDecode() {
        return knows(StepRegime.DECODE) || knows(StepRegime.MIXED);
    }

    /** Whether any step with prefill was learned. */
    public boolean knowsPrefill() {
        return knows(StepRegime.PREFILL) || knows(StepRegime.MIXED);
    }

    private boolean knows(StepRegime regime) {
        return learned.getOrDefault(regime, Evidence.COLD) != Evidence.COLD;
    }

    /** The least evidence of the steps asked for so far. */
    public Evidence weakest() {
        return weakest;
    }

    /** Forgets the evidence noted so far. */
    public StepTimes restart() {
        weakest = Evidence.READY;
        return this;
    }

    /** From here on steps of a rank that takes this many times as long as a typical one; gaps stay as they are. */
    StepTimes at(Speed speed) {
        speedFactor = speed.factor();
        return this;
    }

    /** Takes note that an answer is no better than this. */
    public void weaken(Evidence evidence) {
        weakest = rank(evidence) > rank(weakest) ? evidence : weakest;
    }

    private static int rank(Evidence evidence) {
        return switch (evidence) {
            case READY -> 0;
            case EXTRAPOLATING -> 1;
            case WARMING -> 2;
            case STALE -> 3;
            case COLD -> 4;
        };
    }

    /** A decode-only step as the current one, of contexts with that sum and variance. */
    public StepTimes decode(double requests, double kvTokens, double kvVariance) {
        step.prefill(0, 0, 0, 0).decode(requests, kvTokens, requests > 1 ? kvVariance : 0);
        return this;
    }

    /** The current step with that prefill beside its decodes. */
    public StepTimes with(PrefillChunk chunk) {
        step.prefill(chunk.requests(), chunk.tokens(), chunk.kvTokens(), knowsVariance ? chunk.lengthVariance() : 0);
        return this;
    }

    /** Mean time of the current step and the gap after it, seconds. For sums. */
    public double meanSeconds() {
        note();
        return speedFactor * predictor.meanSeconds(step) + gapSeconds;
    }

    /** Time that a share of such steps and the gap stay below, seconds. */
    double quantileSeconds(double probability) {
        note();
        return speedFactor * predictor.quantileSeconds(step, probability) + gapSeconds;
    }

    private void note() {
        Evidence evidence = predictor.evidence(step);
        /* A regime never seen borrows from its relatives; the answer is rough, not void. */
        weaken(evidence == Evidence.COLD ? Evidence.WARMING : evidence);
    }

    /** Prefill in one step: chunks, tokens computed, tokens of earlier chunks and cache hits attended to, variance of full prompts. */
    public record PrefillChunk(double requests, double tokens, double kvTokens, double lengthVariance) {}
}
