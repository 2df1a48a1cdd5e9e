/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

/** What is to be done about a target now. */
sealed interface Step {
    /** Why nothing is changed. */
    enum Reason {
        /** It has what is recommended. */
        IN_AGREEMENT,
        /** There is no recommendation that a scaler may act upon. */
        NO_RECOMMENDATION,
        /** The step times are not known well enough. */
        EVIDENCE,
        /** Another planner acts. */
        NOT_LEADER,
        /** Somebody else changes the target. */
        CONTESTED,
        /** Reading or changing it failed; it is tried again later. */
        BACKING_OFF
    }

    /**
     * Nothing is changed.
     *
     * @param reason why
     * @param message why, as a sentence
     */
    record Hold(Reason reason, String message) implements Step {}

    /**
     * The replicas are to be set.
     *
     * @param from replicas it is to have now
     * @param to replicas it shall have
     */
    record Scale(int from, int to) implements Step {}
}
