/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

/** A recorded trace that cannot be used; the message names the file, the line where there is one, and the reason. */
public final class TraceException extends Exception {
    private static final long serialVersionUID = 1L;

    TraceException(String file, String reason) {
        super(file + ": " + reason);
    }

    TraceException(String file, int line, String reason) {
        super(file + ", line " + line + ": " + reason);
    }
}
