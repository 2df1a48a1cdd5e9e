/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Counts bytes, so it holds whatever the machine does. */
class AllocationTest {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
    private final StepWorkload step = new StepWorkload();
    private final Random random = new Random(1);

    @Test
    void observingAndPredictingAllocateNothing() {
        learn(2000);
        StepTimePredictor predictor = model.snapshot().predictor();
        ask(predictor, 2000);

        assertThat(allocatedBy(() -> learn(20_000))).isZero();
        assertThat(allocatedBy(() -> ask(predictor, 20_000))).isZero();
    }

    private long allocatedBy(Runnable work) {
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        // The virtual machine may allocate a little once (loading a class, say); one object a frame would be 320,000
        // bytes.
        return bytes < 16_000 ? 0 : bytes;
    }

    private void learn(int frames) {
        for (int i = 0; i < frames; i++) {
            fill();
            model.observe(step, 0.01 + 1e-5 * step.scheduledTokens() + 1e-3 * random.nextDouble());
        }
    }

    private void ask(StepTimePredictor predictor, int times) {
        double sum = 0;
        for (int i = 0; i < times; i++) {
            fill();
            sum += predictor.meanSeconds(step) + predictor.quantileSeconds(step, 0.9);
            sum += model.predictSeconds(step) + (predictor.evidence(step) == Evidence.READY ? 1 : 0);
        }
        assertThat(sum).isFinite();
    }

    private void fill() {
        step.clear().decode(1 + random.nextInt(64), random.nextInt(100_000), random.nextInt(10_000));
        if (random.nextInt(10) == 0) {
            step.prefill(1 + random.nextInt(4), random.nextInt(4096), random.nextInt(4096), 0);
        }
    }
}
