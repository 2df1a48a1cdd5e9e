/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import io.fpmplanner.sim.scenario.Scenario;
import io.fpmplanner.sim.scenario.Topology;

/**
 * One run of the board. Immutable.
 *
 * @param scenario what is played
 * @param topology in which of its topologies
 * @param policyId who decides
 * @param seed of all that is random
 */
public record RunCase(Scenario scenario, Topology topology, String policyId, long seed) {}
