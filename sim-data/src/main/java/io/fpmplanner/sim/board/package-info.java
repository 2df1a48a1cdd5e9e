/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The scoreboard: plays scenarios with autoscalers in virtual time and compares what came of requests and GPUs. {@link
 * io.fpmplanner.sim.board.RunStage} plays one run, {@link io.fpmplanner.sim.board.Board} ranks many.
 */
@NullMarked
package io.fpmplanner.sim.board;

import org.jspecify.annotations.NullMarked;
