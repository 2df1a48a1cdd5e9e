/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

/**
 * A run that was played. Immutable.
 *
 * @param runCase which run
 * @param score what came of it
 * @param timeline what happened in it
 */
public record RunResult(RunCase runCase, RunScore score, Timeline timeline) {}
