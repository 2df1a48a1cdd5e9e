/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.models.Evidence;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One entry of a decision log: what was decided when something changed. Immutable, of plain values.
 *
 * @param number of the pool's decisions, from 1; grows by one from entry to entry
 * @param atNanos when, on the caller's clock
 * @param status verdict
 * @param desired replicas recommended; empty when nothing could be said
 * @param before replicas recommended before; empty for the first entry and when nothing was said
 * @param ready replicas that served
 * @param pending replicas ordered and not ready
 * @param needed replicas needed before limits; empty when not known
 * @param requestsPerSecond arrivals; empty when not known
 * @param reason why
 * @param limitedBy what kept desired from following the need
 * @param advisory whether no scaler was to act upon it
 * @param evidence how well the step times were known
 * @param message why, as a sentence
 */
public record Decision(
        long number,
        long atNanos,
        ScalingStatus status,
        OptionalInt desired,
        OptionalInt before,
        int ready,
        int pending,
        OptionalDouble needed,
        OptionalDouble requestsPerSecond,
        ReasonCode reason,
        Optional<LimitingFactor> limitedBy,
        boolean advisory,
        Evidence evidence,
        String message) {}
