/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** What the silence of a rank, worker or endpoint says. It never says anything about load: stale is not idle. */
public enum LivenessState {
    /** Heard of within {@link LivenessSettings#staleAfterSeconds()}. */
    LIVE,
    /** Silent for longer; may be in a very long step, cut off, or dead. */
    STALE,
    /** Silent for longer than {@link LivenessSettings#goneAfterSeconds()}, or replaced by a new worker on its endpoint. */
    GONE
}
