/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import java.util.Optional;
import java.util.OptionalInt;

/** The outcome of a decision before it is worded. */
record Verdict(ScalingStatus status, OptionalInt desired, ReasonCode reason, Optional<LimitingFactor> limitedBy) {
    static Verdict undecided(OptionalInt desired, ReasonCode reason) {
        return new Verdict(ScalingStatus.UNDECIDED, desired, reason, Optional.of(LimitingFactor.TELEMETRY));
    }

    /** This verdict with another number, since something limits it. */
    Verdict limited(int replicas, LimitingFactor factor) {
        return new Verdict(status, OptionalInt.of(replicas), reason, Optional.of(factor));
    }
}
