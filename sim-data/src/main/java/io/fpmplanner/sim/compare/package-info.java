/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The simulated engine beside logs of real ones: the same requests at the same times, and how far the latencies are apart. {@link
 * io.fpmplanner.sim.compare.LogComparison} is the door.
 */
@NullMarked
package io.fpmplanner.sim.compare;

import org.jspecify.annotations.NullMarked;
