/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The running service. {@link io.fpmplanner.service.PlannerService} is the door; it wires sources, the planner on its
 * event loop and the REST interface on another.
 */
@NullMarked
package io.fpmplanner.service;

import org.jspecify.annotations.NullMarked;
