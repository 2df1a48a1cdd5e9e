/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Adds up what two learners know. */
final class LearnedMerge {
    private LearnedMerge() {}

    static LearnedStepTimes merge(LearnedStepTimes a, LearnedStepTimes b) {
        if (!a.settings().equals(b.settings())) {
            throw new IllegalArgumentException(
                    "learned with different settings: " + a.settings() + " and " + b.settings());
        }
        return new LearnedStepTimes(
                LearnedStepTimes.VERSION,
                a.settings(),
                a.features(),
                a.featureScales(),
                sum(a.squares(), b.squares()),
                a.framesLearned() + b.framesLearned(),
                IntStream.range(0, a.regimes().size())
                        .mapToObj(i -> average(a.regimes().get(i), b.regimes().get(i)))
                        .toList(),
                byBucket(a.scales(), b.scales(), LearnedStepTimes.Scale::bucket, LearnedMerge::average),
                byBucket(a.corrections(), b.corrections(), LearnedStepTimes.Correction::bucket, LearnedMerge::average),
                largest(a.seen(), b.seen()));
    }

    private static LearnedStepTimes.SquareSums sum(LearnedStepTimes.SquareSums a, LearnedStepTimes.SquareSums b) {
        return new LearnedStepTimes.SquareSums(
                a.frames() + b.frames(),
                a.weight() + b.weight(),
                a.targetEnergy() + b.targetEnergy(),
                combine(a.information(), b.information(), 1, 1),
                combine(a.vector(), b.vector(), 1, 1));
    }

    private static LearnedStepTimes.RegimeSums average(LearnedStepTimes.RegimeSums a, LearnedStepTimes.RegimeSums b) {
        double share = share(a.frames(), b.frames());
        return new LearnedStepTimes.RegimeSums(
                a.regime(),
                a.frames() + b.frames(),
                mean(a.typicalSeconds(), b.typicalSeconds(), share),
                a.measuredSeconds() + b.measuredSeconds(),
                a.predictedSeconds() + b.predictedSeconds(),
                combine(a.logErrors(), b.logErrors(), share, 1 - share),
                combine(a.blendLosses(), b.blendLosses(), share, 1 - share));
    }

    private static LearnedStepTimes.Scale average(LearnedStepTimes.Scale a, LearnedStepTimes.Scale b) {
        double seconds = mean(a.seconds(), b.seconds(), share(a.frames(), b.frames()));
        return new LearnedStepTimes.Scale(
                a.bucket(), seconds, (int) Math.min(Integer.MAX_VALUE, (long) a.frames() + b.frames()));
    }

    private static LearnedStepTimes.Correction average(LearnedStepTimes.Correction a, LearnedStepTimes.Correction b) {
        double share = share(a.frames(), b.frames());
        return new LearnedStepTimes.Correction(
                a.bucket(),
                mean(a.recentLog(), b.recentLog(), share),
                mean(a.steadyLog(), b.steadyLog(), share),
                a.frames() + b.frames());
    }

    /** Of a in the sum; a half when neither has any. */
    private static double share(long a, long b) {
        return a + b == 0 ? 0.5 : (double) a / (a + b);
    }

    private static double mean(double a, double b, double share) {
        return share * a + (1 - share) * b;
    }

    private static List<Double> combine(List<Double> a, List<Double> b, double factorA, double factorB) {
        return IntStream.range(0, a.size())
                .mapToObj(i -> factorA * a.get(i) + factorB * b.get(i))
                .toList();
    }

    private static <T> List<T> byBucket(List<T> a, List<T> b, Function<T, Integer> bucket, BinaryOperator<T> average) {
        Map<Integer, T> merged = new TreeMap<>();
        a.forEach(entry -> merged.put(bucket.apply(entry), entry));
        b.forEach(entry -> merged.merge(bucket.apply(entry), entry, average));
        return new ArrayList<>(merged.values());
    }

    private static ModelReport.LargestSeen largest(ModelReport.LargestSeen a, ModelReport.LargestSeen b) {
        return new ModelReport.LargestSeen(
                Math.max(a.prefillRequests(), b.prefillRequests()),
                Math.max(a.prefillTokens(), b.prefillTokens()),
                Math.max(a.prefillKvTokens(), b.prefillKvTokens()),
                Math.max(a.decodeRequests(), b.decodeRequests()),
                Math.max(a.decodeKvTokens(), b.decodeKvTokens()),
                Math.max(a.prefillLengthVariance(), b.prefillLengthVariance()));
    }
}
