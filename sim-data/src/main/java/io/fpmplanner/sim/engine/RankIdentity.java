/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/**
 * As whom an engine reports.
 *
 * @param workerId worker id in its records; may be empty
 * @param dpRank data-parallel rank, &ge; 0
 */
public record RankIdentity(String workerId, int dpRank) {}
