/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** How far a prediction may be trusted, from not at all to fully. */
public enum Evidence {
    /** Nothing of this kind was observed yet; there is no prediction. */
    COLD,
    /** Some frames were observed, fewer than a regime needs; predictions are rough. */
    WARMING,
    /** Enough frames of the regime were observed and the query lies inside what was seen. */
    READY,
    /** The regime is ready but the query lies outside what was seen; the interval is widened. */
    EXTRAPOLATING,
    /** The model was ready, but its stream has fallen silent for longer than is healthy. */
    STALE
}
