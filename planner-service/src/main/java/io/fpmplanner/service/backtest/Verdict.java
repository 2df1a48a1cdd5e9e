/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.models.StepRegime;
import io.fpmplanner.service.replay.ErrorSummary;
import io.fpmplanner.service.replay.ScoreFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether predictions can be trusted on data like a recording's, and why not.
 *
 * @param trust the answer
 * @param summary it in a sentence with the figures
 * @param doubts what speaks against, a sentence each; empty if nothing does
 * @param limits what the recording does not tell, a sentence each
 */
record Verdict(Trust trust, String summary, List<String> doubts, List<String> limits) {
    /** Steps to score before anything can be said. */
    private static final int FEWEST_SCORED = 200;

    private static final int FEWEST_OF_REGIME = 30;
    private static final double FAIR_ERROR = 0.1;
    private static final double POOR_ERROR = 0.25;
    /** Worse than the best baseline by more than this share of its error counts, if it is more than {@link #NEGLIGIBLE}. */
    static final double TOLERATED_RATIO = 1.05;

    private static final double NEGLIGIBLE = 0.005;

    private static final double FAIR_COVERAGE_GAP = 0.05;
    private static final double POOR_COVERAGE_GAP = 0.2;

    private static final int FAIR_RECOVERY_STEPS = 100;

    /** How far predictions can be trusted. */
    enum Trust {
        YES("Yes, you can trust it here."),
        WITH_CARE("With care."),
        NO("No, do not trust it here."),
        CANNOT_SAY("Cannot say.");

        private final String words;

        Trust(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    Verdict {
        doubts = List.copyOf(doubts);
        limits = List.copyOf(limits);
    }

    static Verdict of(RecordingResult result) {
        int scored = result.steps() - ErrorSummary.SCORED_FROM;
        if (scored < FEWEST_SCORED) {
            return new Verdict(
                    Trust.CANNOT_SAY,
                    "There are only " + result.steps() + " steps; at least "
                            + (ErrorSummary.SCORED_FROM + FEWEST_SCORED) + " are needed, better some thousands.",
                    List.of(),
                    List.of());
        }
        Figures ours = result.ours().figures();
        List<String> doubts = new ArrayList<>();
        doubtErrors(ours, doubts);
        doubtIntervals(ours, doubts);
        doubtRegimes(ours, doubts);
        doubtAgainstBaselines(result, doubts);
        doubtSums(ours, doubts);
        doubtRecovery(result, doubts);
        Trust trust = isPoor(ours) ? Trust.NO : doubts.isEmpty() ? Trust.YES : Trust.WITH_CARE;
        return new Verdict(trust, summary(result, ours), doubts, limits(ours));
    }

    private static String summary(RecordingResult result, Figures ours) {
        StringBuilder text = new StringBuilder("The time of the next step is predicted to "
                + ScoreFormat.percent(ours.total().mape()) + " in the mean and "
                + ScoreFormat.percent(ours.total().p50()) + " in the median, and "
                + ScoreFormat.percent(ours.total().coverage90()) + " of the times lie in the 90% interval");
        if (ours.sums().isPresent()) {
            text.append("; sums over ")
                    .append(Figures.SUM_WINDOW)
                    .append(" steps come out to ")
                    .append(ScoreFormat.percent(ours.sums()));
        }
        text.append('.');
        result.bestBaseline()
                .ifPresent(best -> text.append(" The best baseline (")
                        .append(best.contender().id())
                        .append(") is off by ")
                        .append(ScoreFormat.percent(best.figures().total().mape()))
                        .append('.'));
        return text.toString();
    }

    private static boolean isPoor(Figures ours) {
        return ours.total().mape().getAsDouble() > POOR_ERROR || coverageGap(ours) > POOR_COVERAGE_GAP;
    }

    private static double coverageGap(Figures ours) {
        return Math.abs(ours.total().coverage90().orElse(0) - 0.9);
    }

    private static void doubtErrors(Figures ours, List<String> doubts) {
        double mean = ours.total().mape().getAsDouble();
        if (mean > FAIR_ERROR) {
            boolean tail = ours.total().p50().getAsDouble() < mean / 3;
            doubts.add("The mean error is above " + percent(FAIR_ERROR)
                    + (tail
                            ? ": most steps are predicted well, but some took very much longer or shorter than others of"
                                    + " the same load."
                            : ": steps of the same load take different times, for reasons the frames do not show."));
        }
    }

    private static void doubtIntervals(Figures ours, List<String> doubts) {
        if (coverageGap(ours) > FAIR_COVERAGE_GAP) {
            doubts.add(
                    "The 90% intervals hold " + ScoreFormat.percent(ours.total().coverage90())
                            + " of the times: percentiles are not what they say.");
        }
    }

    private static void doubtRegimes(Figures ours, List<String> doubts) {
        for (StepRegime regime : StepRegime.values()) {
            Figures.OfRegime part = ours.regimes().get(regime);
            if (part != null
                    && part.scored() >= FEWEST_OF_REGIME
                    && part.score().mape().getAsDouble() > POOR_ERROR) {
                doubts.add("The mean error of " + ScoreFormat.name(regime) + " steps is "
                        + ScoreFormat.percent(part.score().mape()) + ", their median "
                        + ScoreFormat.percent(part.score().p50()) + ".");
            }
        }
    }

    private static List<String> limits(Figures ours) {
        List<String> limits = new ArrayList<>();
        for (StepRegime regime : StepRegime.values()) {
            Figures.OfRegime part = ours.regimes().get(regime);
            int scored = part == null ? 0 : part.scored();
            if (scored < FEWEST_OF_REGIME) {
                limits.add((scored == 0 ? "No" : "Only " + scored) + " " + ScoreFormat.name(regime)
                        + (scored == 1 ? " step was" : " steps were")
                        + " scored: the recording does not tell how well such"
                        + " steps are predicted.");
            }
        }
        return limits;
    }

    private static void doubtAgainstBaselines(RecordingResult result, List<String> doubts) {
        double ours = result.ours().figures().total().mape().getAsDouble();
        result.bestBaseline().ifPresent(best -> {
            double theirs = best.figures().total().mape().getAsDouble();
            if (ours > TOLERATED_RATIO * theirs && ours > theirs + NEGLIGIBLE) {
                doubts.add(String.format(
                        Locale.ROOT,
                        "The baseline %s does better: our error is %.2f times its.",
                        best.contender().id(),
                        ours / theirs));
            }
        });
    }

    private static void doubtSums(Figures ours, List<String> doubts) {
        if (ours.sums().orElse(0) > FAIR_ERROR) {
            doubts.add("Sums over " + Figures.SUM_WINDOW + " steps are off by " + ScoreFormat.percent(ours.sums())
                    + " in the median: so may be TTFT and capacity, which are sums.");
        }
    }

    private static void doubtRecovery(RecordingResult result, List<String> doubts) {
        result.ours().experiments().slowerClock().ifPresent(slower -> {
            int steps = slower.recovery().steps().orElse(Integer.MAX_VALUE);
            if (steps > FAIR_RECOVERY_STEPS) {
                doubts.add("After a change of the clock by a quarter the error "
                        + (steps == Integer.MAX_VALUE
                                ? "does not fall below " + percent(FAIR_ERROR) + " any more."
                                : "needs " + steps + " steps to fall below " + percent(FAIR_ERROR) + "."));
            }
        });
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f%%", 100 * share);
    }
}
