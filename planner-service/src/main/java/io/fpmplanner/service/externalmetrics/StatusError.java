/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.service.http.KubernetesErrors;

/** An error answer in the form of the Kubernetes API. The HPA shows its message to the operator. */
final class StatusError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final String text;

    /** Machine-readable reasons with their status codes. */
    enum Reason {
        BAD_REQUEST("BadRequest", 400),
        UNAUTHORIZED("Unauthorized", 401),
        NOT_FOUND("NotFound", 404),
        METHOD_NOT_ALLOWED("MethodNotAllowed", 405),
        URI_TOO_LONG("RequestURITooLong", 414),
        HEADERS_TOO_LARGE("RequestHeaderFieldsTooLarge", 431),
        INTERNAL_ERROR("InternalError", 500),
        SERVICE_UNAVAILABLE("ServiceUnavailable", 503);

        private final String word;
        private final int code;

        Reason(String word, int code) {
            this.word = word;
            this.code = code;
        }
    }

    StatusError(Reason reason, String text) {
        // Part of the answer, not of the log: a stack trace would cost more than the request.
        super(text, null, false, false);
        this.reason = reason;
        this.text = text;
    }

    int code() {
        return reason.code;
    }

    /** The document {@code Status}. */
    ObjectNode document() {
        return KubernetesErrors.document(reason.code, reason.word, text);
    }
}
