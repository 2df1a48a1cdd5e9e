/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import java.util.Locale;

/** A target that could not be read or changed, with advice for the operator. */
final class TargetException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why. */
    enum Cause {
        /** The account may not do that. */
        FORBIDDEN,
        /** There is no such object, or no such kind. */
        NOT_FOUND,
        /** Somebody else changed it at the same time. */
        CONFLICT,
        /** The API server was not reached. */
        UNREACHABLE,
        /** Anything else. */
        FAILED;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Cause why;

    TargetException(Cause why, String message, Throwable cause) {
        super(message, cause);
        this.why = why;
    }

    TargetException(Cause why, String message) {
        super(message);
        this.why = why;
    }

    Cause why() {
        return why;
    }
}
