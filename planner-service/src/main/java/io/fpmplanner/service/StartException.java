/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.NoSuchFileException;

/** The service cannot start; the message is for the operator and needs no stack trace. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    StartException(String message, Throwable cause) {
        super(message, cause);
    }

    /** What kept a service from starting, in words for its operator; {@code address} is what was to be listened on last. */
    static StartException explain(Exception problem, String address) {
        Throwable cause = problem.getCause() == null ? problem : problem.getCause();
        if (cause instanceof BindException) {
            return new StartException("cannot listen on " + address + ": " + cause.getMessage(), cause);
        }
        if (cause instanceof UnknownHostException || cause instanceof SocketException) {
            return new StartException("cannot listen on " + address + ": " + cause, cause);
        }
        if (cause instanceof NoSuchFileException) {
            return new StartException("no such file: " + cause.getMessage(), cause);
        }
        if (cause instanceof UncheckedIOException || cause.getClass() == IOException.class) {
            return new StartException(String.valueOf(cause.getMessage()), cause);
        }
        return new StartException("cannot start: " + cause, cause);
    }
}
