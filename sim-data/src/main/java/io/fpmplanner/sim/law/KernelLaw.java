/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import io.fpmplanner.sim.engine.StepBatch;
import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.engine.TransformerSpec;

/** Step time as the sum of measured kernels, interpolated, plus overheads. Immutable, threadsafe, without noise. */
public final class KernelLaw implements StepTimeLaw {
    private static final double MICRO = 1e-6;
    private static final double BYTES_PER_ACTIVATION = 2;

    private final KernelProfile profile;
    private final ServingOverhead overhead;
    private final int layers;
    private final double allReduceSecondsPerToken;

    public KernelLaw(KernelProfile profile, ServingOverhead overhead) {
        TransformerSpec model = profile.model();
        this.profile = profile;
        this.overhead = overhead;
        this.layers = model.layers();
        this.allReduceSecondsPerToken = model.hidden() * BYTES_PER_ACTIVATION / overhead.allReduceBytesPerSecond();
    }

    @Override
    public double seconds(StepBatch batch) {
        int tokens = overhead.paddedTokens(batch.totalTokens());
        double layer = MICRO * profile.dense().at(tokens)
                + profile.attention().seconds(batch, profile.scales())
                + 2 * (overhead.allReduceSeconds() + allReduceSecondsPerToken * tokens);
        return layers * layer
                + MICRO * profile.head().at(batch.size())
                + overhead.stepSeconds()
                + overhead.requestSeconds() * batch.size();
    }
}
