/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.step;

/** A line that cannot be used, with the member that is wrong. Carries no stack: it is data. */
final class StepException extends Exception {
    private static final long serialVersionUID = 1;
    private final String field;

    StepException(String field, String message) {
        super(message, null, false, false);
        this.field = field;
    }

    /** The member, e.g. {@code fleet.decode.ready}; empty if the line as a whole is wrong. */
    String field() {
        return field;
    }

    String text() {
        return getMessage() == null ? "" : getMessage();
    }
}
