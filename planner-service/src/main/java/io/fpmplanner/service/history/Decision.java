/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.history;

import io.fpmplanner.core.scaling.LimitingFactor;
import io.fpmplanner.core.scaling.ReasonCode;
import io.fpmplanner.core.scaling.ScalingStatus;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A recommendation that differed from the one before.
 *
 * @param atMillis when it was made
 * @param previous replicas recommended before; empty if none were, or at the first
 * @param desired replicas recommended; empty if none are
 * @param status its status
 * @param reason why
 * @param limitedBy what kept it from following the need
 * @param message why, as a sentence
 */
record Decision(
        long atMillis,
        OptionalInt previous,
        OptionalInt desired,
        ScalingStatus status,
        ReasonCode reason,
        Optional<LimitingFactor> limitedBy,
        String message) {}
