/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.StepBatch;
import io.fpmplanner.sim.engine.StepTimeLaw;

/** Another law, times a factor that faults change. Not threadsafe. */
final class PacedLaw implements StepTimeLaw {
    private final StepTimeLaw law;
    private double factor = 1;

    PacedLaw(StepTimeLaw law) {
        this.law = law;
    }

    /** Makes the coming steps so many times slower than they are now. */
    void slowDown(double times) {
        factor *= times;
    }

    @Override
    public double seconds(StepBatch batch) {
        return factor * law.seconds(batch);
    }
}
