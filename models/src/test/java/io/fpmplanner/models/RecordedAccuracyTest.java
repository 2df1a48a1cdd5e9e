/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** One step ahead over recorded streams, scored from frame 200 on; bounds are a little above what is reached. */
class RecordedAccuracyTest {
    private static final int SCORED_FROM = 200;

    @Test
    void medianErrorOverTheRecordings() {
        List<Recording> recordings = Recording.all();
        double[] errors = recordings.stream()
                .mapToDouble(RecordedAccuracyTest::mape)
                .sorted()
                .toArray();
        double median = (errors[(errors.length - 1) / 2] + errors[errors.length / 2]) / 2;

        assertThat(recordings).hasSizeGreaterThanOrEqualTo(8);
        assertThat(median).isLessThan(0.035);
    }

    private static double mape(Recording recording) {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        double[] sum = new double[2];
        int[] frames = new int[1];
        recording.forEach((step, seconds) -> {
            if (frames[0]++ >= SCORED_FROM) {
                sum[0] += Math.abs(model.predictSeconds(step) / seconds - 1);
                sum[1]++;
            }
            model.observe(step, seconds);
        });
        return sum[0] / sum[1];
    }
}
