/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.models.StepWorkload;
import io.fpmplanner.service.recording.RecordedFrame;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Steps made up for tests. */
final class TestSteps {
    private TestSteps() {}

    static StepWorkload decode(double requests, double kvTokens) {
        return new StepWorkload().decode(requests, kvTokens, 0);
    }

    static StepWorkload prefill(double requests, double tokens, double kvTokens) {
        return new StepWorkload().prefill(requests, tokens, kvTokens, 0);
    }

    /** The load of decode step {@code i}: batches of 1 to 32 with contexts of 500 to 900 tokens. */
    static StepWorkload decode(int i) {
        int batch = 1 + i * 7 % 32;
        return decode(batch, batch * (500 + i * 13 % 400));
    }

    /** Decode steps whose times follow a law. */
    static StepSeries series(String file, int count, ToDoubleFunction<StepWorkload> seconds) {
        return StepSeries.of(
                file,
                IntStream.range(0, count)
                        .mapToObj(i -> {
                            StepWorkload step = decode(i);
                            return new RecordedFrame(
                                    "w",
                                    0,
                                    i,
                                    seconds.applyAsDouble(step),
                                    new RecordedFrame.Scheduled(
                                            0, 0, 0, 0, (long) step.decodeRequests(), (long) step.decodeKvTokens(), 0),
                                    new RecordedFrame.Queued(0, 0, 0, 0, 0, 0));
                        })
                        .toList());
    }

    /** Seconds of a dense model's decode step. */
    static double linearSeconds(StepWorkload step) {
        return 10e-3 + 1e-4 * step.decodeRequests() + 1e-7 * step.decodeKvTokens();
    }
}
