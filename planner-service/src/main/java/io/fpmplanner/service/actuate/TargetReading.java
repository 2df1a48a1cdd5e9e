/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import java.util.OptionalInt;

/**
 * What a target says of itself.
 *
 * @param wanted replicas it is to have, {@code spec.replicas}
 * @param ready replicas that serve, as far as they are wanted; empty when it does not tell
 */
record TargetReading(int wanted, OptionalInt ready) {}
