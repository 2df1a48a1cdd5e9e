/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Everything a prediction needs: what a model hands to its snapshots. Not threadsafe; copies are independent. */
final class StepTimeFit {
    /** Below this many frames the typical time of the regime is a better guess than any regression. */
    private static final int FEWEST_FRAMES = 5;
    /** No step is faster; keeps predictions positive. */
    private static final double SHORTEST_SECONDS = 1e-6;

    final FeatureMap features;
    final StepBuckets buckets;
    final double[] coefficients;

    private final RegimeRecord prefill;
    private final RegimeRecord decode;
    private final RegimeRecord mixed;
    final SeenRange seen;
    private final int framesNeeded;
    private long framesLearned;
    private boolean restored;
    private @Nullable PriorBlend prior;

    /** A live fit: the coefficients are those the learner writes to. */
    StepTimeFit(StepTimeSettings settings, StepBuckets buckets, double[] coefficients) {
        this.features = new FeatureMap(buckets.graphSizes(), settings.eagerTokens());
        this.buckets = buckets;
        this.coefficients = coefficients;
        this.prefill = new RegimeRecord();
        this.decode = new RegimeRecord();
        this.mixed = new RegimeRecord();
        this.seen = new SeenRange();
        this.framesNeeded = settings.framesNeeded();
    }

    private StepTimeFit(StepTimeFit other) {
        features = other.features;
        buckets = other.buckets;
        coefficients = other.coefficients.clone();
        prefill = other.prefill.copy();
        decode = other.decode.copy();
        mixed = other.mixed.copy();
        seen = other.seen.copy();
        framesNeeded = other.framesNeeded;
        framesLearned = other.framesLearned;
        restored = other.restored;
        prior = other.prior == null ? null : other.prior.copy();
    }

    StepTimeFit copy() {
        return new StepTimeFit(this);
    }

    RegimeRecord regime(StepRegime regime) {
        return switch (regime) {
            case PREFILL -> prefill;
            case DECODE -> decode;
            case MIXED -> mixed;
        };
    }

    /** Frames learned from since the start, or since all was forgotten because the engine had become another one. */
    long framesLearned() {
        return framesLearned;
    }

    void load(LearnedStepTimes learned) {
        framesLearned = learned.framesLearned();
        seen.load(learned.seen());
        learned.regimes().forEach(sums -> regime(sums.regime()).load(sums));
    }

    /** What was loaded comes from before a pause in which the engine may have changed. */
    void doubt() {
        restored = true;
        prefill.doubt();
        decode.doubt();
        mixed.doubt();
    }

    Optional<ModelReport.RestoredReport> restoredReport() {
        return restored
                ? Optional.of(new ModelReport.RestoredReport(
                        prefill.unconfirmed(), decode.unconfirmed(), mixed.unconfirmed()))
                : Optional.empty();
    }

    /** Counts a frame in before the coefficients learn from it. */
    void include(StepRegime regime, double wallTimeSeconds) {
        framesLearned++;
        regime(regime).learn(wallTimeSeconds);
    }

    void startFrom(PriorBlend blend) {
        prior = blend;
    }

    boolean hasPrior() {
        return prior != null;
    }

    boolean canPredict() {
        return framesLearned > 0 || prior != null;
    }

    /** The prediction, given what the fit says, which counts for nothing before the first frame; {@code x} is scratch. */
    double blend(StepWorkload step, StepRegime regime, double ownSeconds, double[] x) {
        if (prior == null) {
            return ownSeconds;
        }
        if (framesLearned == 0) {
            return prior.seconds(step, regime, x);
        }
        double weight = prior.weight(regime, regime(regime).frames());
        return weight <= 0 ? ownSeconds : PriorBlend.mix(ownSeconds, prior.seconds(step, regime, x), weight);
    }

    /** Takes in what was measured where the fit, NaN before the first frame, had said {@code ownSeconds}. */
    void scorePrior(StepWorkload step, double ownSeconds, double wallTimeSeconds, double[] x) {
        if (prior != null) {
            StepRegime regime = step.regime();
            prior.score(regime, ownSeconds, prior.seconds(step, regime, x), wallTimeSeconds);
        }
    }

    Optional<ModelReport.PriorReport> priorReport() {
        PriorBlend blend = prior;
        return blend == null
                ? Optional.empty()
                : Optional.of(new ModelReport.PriorReport(
                        blend.name(),
                        blend.weight(StepRegime.PREFILL, prefill.frames()),
                        blend.weight(StepRegime.DECODE, decode.frames()),
                        blend.weight(StepRegime.MIXED, mixed.frames())));
    }

    /** Evidence of a regime; a prior that holds makes a cold one warm, and nothing but own frames make it ready. */
    private Evidence evidence(StepRegime regime) {
        long frames = regime(regime).frames();
        boolean warm = prior != null && prior.weight(regime, frames) > 0;
        return frames == 0 && warm ? Evidence.WARMING : regime(regime).evidence(framesNeeded);
    }

    /** After the engine has become {@code ratio} times as slow: what was seen was seen elsewhere. */
    void restate(double ratio) {
        seen.clear();
        if (prior != null) {
            prior.dismiss();
        }
        prefill.restate(ratio);
        decode.restate(ratio);
        mixed.restate(ratio);
    }

    /** Takes on how well another fit predicted, and its prior, which holds no more: it was of another engine. */
    void succeed(StepTimeFit other) {
        prior = other.prior;
        if (prior != null) {
            prior.dismiss();
        }
        prefill.takeQuality(other.prefill);
        decode.takeQuality(other.decode);
        mixed.takeQuality(other.mixed);
    }

    /** The regression alone; {@code x} receives the columns. */
    double baseSeconds(StepWorkload step, StepRegime regime, double[] x) {
        features.fill(step, x);
        if (framesLearned < FEWEST_FRAMES) {
            return typicalSeconds(regime);
        }
        return Finite.max(SHORTEST_SECONDS, ForgettingLeastSquares.dot(x, coefficients));
    }

    /** The typical time of the regime, or of any other if this one was never seen. */
    private double typicalSeconds(StepRegime regime) {
        double typical = regime(regime).typicalSeconds();
        if (typical <= 0) {
            typical = Finite.max(prefill.typicalSeconds(), Finite.max(decode.typicalSeconds(), mixed.typicalSeconds()));
        }
        return Finite.max(SHORTEST_SECONDS, typical);
    }

    Evidence evidence(StepWorkload step) {
        Evidence evidence = evidence(step.regime());
        return evidence == Evidence.READY && seen.excess(step) > 1 ? Evidence.EXTRAPOLATING : evidence;
    }

    /** That of the regime learned best. */
    Evidence evidence() {
        Evidence best = prior != null ? Evidence.WARMING : Evidence.COLD;
        for (RegimeRecord each : List.of(prefill, decode, mixed)) {
            Evidence known = each.evidence(framesNeeded);
            if (known == Evidence.READY || best == Evidence.COLD) {
                best = known;
            }
            if (best == Evidence.READY) {
                return best;
            }
        }
        return best;
    }

    List<RegimeReadiness> readiness() {
        return List.of(
                prefill.readiness(StepRegime.PREFILL, evidence(StepRegime.PREFILL), framesNeeded),
                decode.readiness(StepRegime.DECODE, evidence(StepRegime.DECODE), framesNeeded),
                mixed.readiness(StepRegime.MIXED, evidence(StepRegime.MIXED), framesNeeded));
    }

    List<Coefficient> report() {
        List<Coefficient> report = new ArrayList<>();
        for (int column = 0; column < Feature.COUNT; column++) {
            Feature feature = Feature.ALL.get(column);
            report.add(new Coefficient(feature.label(), feature.unit(), coefficients[column] / feature.scale()));
        }
        return report;
    }
}
