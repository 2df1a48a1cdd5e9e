/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.models.StepWorkload;
import java.util.OptionalDouble;

/** Something that learns how long steps take, from one step after the other. Not threadsafe. */
interface StepLearner {
    /** The time of one step right now, seconds &gt; 0; empty if the learner has no answer. */
    OptionalDouble predictSeconds(StepWorkload step);

    /** The same for sums over many steps, for learners that tell the mean from the typical time. */
    default OptionalDouble meanSeconds(StepWorkload step) {
        return predictSeconds(step);
    }

    /** The time that a share of such steps stays below; empty for learners without intervals. */
    default OptionalDouble quantileSeconds(StepWorkload step, double probability) {
        return OptionalDouble.empty();
    }

    /** How often the learner found by itself that the engine has changed, as far as it knows by now. */
    default long driftResets() {
        return 0;
    }

    /** Learns from a measured step; keeps neither argument. */
    void observe(StepWorkload step, double wallTimeSeconds);
}
