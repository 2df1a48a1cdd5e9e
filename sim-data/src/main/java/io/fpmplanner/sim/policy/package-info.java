/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Autoscalers by their public descriptions, and the door through which any other one is judged: {@link
 * io.fpmplanner.sim.policy.Autoscaler}. They see what a deployment's orchestrator, front end and engines tell, and
 * nothing of the simulation behind it.
 */
@NullMarked
package io.fpmplanner.sim.policy;

import org.jspecify.annotations.NullMarked;
