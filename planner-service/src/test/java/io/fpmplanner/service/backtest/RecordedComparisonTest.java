/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.service.recording.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The comparison on recorded streams. */
class RecordedComparisonTest {
    @Test
    void noRecordingIsPredictedWorseThanByTheBestBaseline() throws Exception {
        Path folder = Path.of(System.getProperty("fpm.shared.data", "absent"), "fpm");
        Assumptions.assumeTrue(Files.isDirectory(folder), "SKIPPED: no recordings at " + folder);
        List<Path> files;
        try (Stream<Path> paths = Files.list(folder)) {
            files = paths.filter(path -> path.toString().endsWith(".csv"))
                    .sorted()
                    .toList();
        }
        assertThat(files).isNotEmpty();
        Backtest backtest = new Backtest(() -> 0, false);
        for (Path file : files) {
            RecordingResult result =
                    backtest.compare(StepSeries.of(file.toString(), Recording.steps(file)), Optional.empty());

            assertThat(result.ratioToBestBaseline().orElseThrow())
                    .as(
                            "%s: our error in units of that of %s",
                            file, result.bestBaseline().orElseThrow().contender())
                    .isLessThan(Verdict.TOLERATED_RATIO);
            assertThat(result.verdict().trust()).as(file.toString()).isIn(Verdict.Trust.YES, Verdict.Trust.WITH_CARE);
        }
    }
}
