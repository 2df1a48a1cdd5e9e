/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.Arrays;
import java.util.Locale;

/**
 * Prints what the learner reaches on each recording, to judge a change by: run it before and after.
 *
 * <p>Start with {@code -Dfpm.shared.data=<folder that holds fpm/*.csv>} on the test class path. Columns: mean, p50 and p90
 * of the absolute relative error in percent from step 200 on; coverage of the 50, 80, 90 and 99 % interval; median error of
 * sums over 400 steps in percent; points that noise adds to the mean; steps to recover from a clock slower by a quarter;
 * nanoseconds to predict and learn one step.
 */
final class Scoreboard {
    private Scoreboard() {}

    public static void main(String[] arguments) {
        System.out.printf("%-42s  mean   p50   p90 |  c50  c80  c90  c99 | sums noise clock    ns%n", "recording");
        double[] means =
                Recording.all().stream().mapToDouble(Scoreboard::printRow).toArray();
        System.out.printf(Locale.ROOT, "%-42s %5.2f%n", "median", Trial.median(means));
    }

    private static double printRow(Recording recording) {
        double[] seconds = Trial.measured(recording);
        double[] errors = Trial.errors(recording, seconds, seconds);
        double[] scored = Arrays.copyOfRange(errors, Trial.SCORED_FROM, errors.length);
        double mean = 100 * Trial.mean(scored, 0, scored.length);
        int change = seconds.length / 2;
        double[] slower = Trial.withSlowerClock(seconds, change);
        Arrays.sort(scored);
        System.out.printf(
                Locale.ROOT,
                "%-42s %5.2f %5.2f %5.2f | %4.1f %4.1f %4.1f %4.1f | %4.2f %+5.2f %5d %5.0f%n",
                recording.name(),
                mean,
                100 * scored[scored.length / 2],
                100 * scored[scored.length * 9 / 10],
                100 * Trial.coverage(recording, 0.5),
                100 * Trial.coverage(recording, 0.8),
                100 * Trial.coverage(recording, 0.9),
                100 * Trial.coverage(recording, 0.99),
                100 * Trial.medianErrorOfSums(recording),
                100 * Trial.costOfNoise(recording),
                Trial.recovery(Trial.errors(recording, slower, slower), change),
                nanosPerStep(recording, seconds));
        return mean;
    }

    /** The best of many rounds, which is what the code costs when nothing else runs. */
    private static double nanosPerStep(Recording recording, double[] seconds) {
        double best = Double.POSITIVE_INFINITY;
        for (int round = 0; round < 30; round++) {
            long start = System.nanoTime();
            Trial.errors(recording, seconds, seconds);
            best = Math.min(best, (double) (System.nanoTime() - start) / seconds.length);
        }
        return best;
    }
}
