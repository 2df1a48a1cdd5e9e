/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

/** A scenario or a trace that cannot be used; the message names the file, the line where there is one, and the reason. */
public class ScenarioException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A fault of the whole file. */
    public ScenarioException(String file, String reason) {
        super(file + ": " + reason);
    }

    /** A fault in a line, counted from 1. */
    public ScenarioException(String file, int line, String reason) {
        super(file + ", line " + line + ": " + reason);
    }
}
