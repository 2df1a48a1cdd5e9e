/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

/** The service cannot start; the message is for the operator and needs no stack trace. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
