/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

/** A scenario replays a recorded trace that is not there; without the recording it cannot be played. */
public final class MissingTraceException extends ScenarioException {
    private static final long serialVersionUID = 1L;

    MissingTraceException(String file, int line, String reason) {
        super(file, line, reason);
    }
}
