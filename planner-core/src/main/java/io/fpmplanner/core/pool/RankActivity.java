/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** What a rank is doing, as far as its frames and its silence tell; see {@link RankView#activity}. */
public enum RankActivity {
    /** Steps come. */
    BUSY,
    /** It says that it is there and that nothing runs or waits. */
    IDLE,
    /**
     * Work is known to remain and no step has come for longer than the interval of heartbeats: a long forward pass, in which
     * some engines send heartbeats and some nothing.
     */
    LONG_STEP,
    /** Nothing was heard for {@link LivenessSettings#staleAfterSeconds()}: cut off, dead, or in a very long forward pass. */
    SILENT,
    /** Nothing was heard for {@link LivenessSettings#goneAfterSeconds()}, or it was replaced. */
    GONE
}
