/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A simulated inference engine in virtual time: continuous batching as vLLM and SGLang do it, with step times from a law
 * that knows nothing of the learner it is used to judge. {@link io.fpmplanner.sim.engine.SimulatedEngine} is the door.
 */
@NullMarked
package io.fpmplanner.sim.engine;

import org.jspecify.annotations.NullMarked;
