/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.service.recording.RecordingException;
import io.fpmplanner.service.replay.ErrorSummary;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * All there is to report.
 *
 * @param results one a recording, in the order of the command line
 * @param failures files that could not be read
 */
record BacktestReport(List<RecordingResult> results, List<RecordingException> failures) {
    BacktestReport {
        results = List.copyOf(results);
        failures = List.copyOf(failures);
    }

    /** Median of a figure over the recordings long enough to have it. */
    OptionalDouble median(Contender contender, Function<ErrorSummary.Score, OptionalDouble> figure) {
        return Figures.median(results.stream()
                .map(result -> figure.apply(result.of(contender).figures().total()))
                .flatMapToDouble(OptionalDouble::stream)
                .toArray());
    }
}
