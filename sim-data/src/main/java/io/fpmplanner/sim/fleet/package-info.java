/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fleets of simulated engines: routing, cold starts, draining, prefill/decode pairs. {@link io.fpmplanner.sim.fleet.Fleet}
 * runs in virtual time on the caller's thread, {@link io.fpmplanner.sim.fleet.LiveFleet} at wall-clock speed over sockets.
 */
@NullMarked
package io.fpmplanner.sim.fleet;

import org.jspecify.annotations.NullMarked;
