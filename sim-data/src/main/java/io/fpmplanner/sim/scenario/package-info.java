/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Scenarios: what arrives at which fleet, what goes wrong there, and when a request is good. Each is a small text file that
 * {@link io.fpmplanner.sim.scenario.ScenarioReader} reads; {@link io.fpmplanner.sim.scenario.ScenarioLibrary} holds those
 * that come with the planner.
 */
@NullMarked
package io.fpmplanner.sim.scenario;

import org.jspecify.annotations.NullMarked;
