/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How long a step takes: laws from measured kernels and from recorded frames, and what real engines do on top. None shares code
 * with the learner it is used to judge.
 */
@NullMarked
package io.fpmplanner.sim.law;

import org.jspecify.annotations.NullMarked;
