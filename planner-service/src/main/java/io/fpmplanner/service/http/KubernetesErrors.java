/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;

/** Refusals below {@code /apis} in the form of the Kubernetes API, whose clients show the message of a {@code Status} only. */
public final class KubernetesErrors {
    private static final Map<Integer, String> REASONS = Map.of(
            400, "BadRequest",
            401, "Unauthorized",
            403, "Forbidden",
            404, "NotFound",
            405, "MethodNotAllowed",
            413, "RequestEntityTooLarge",
            429, "TooManyRequests",
            503, "ServiceUnavailable");

    private KubernetesErrors() {}

    /** Whether such a client asks. */
    static boolean areExpected(HttpServerRequest request) {
        return !request.decoderResult().isFailure()
                && (request.path().equals("/apis") || request.path().startsWith("/apis/"));
    }

    static String document(int status, String message) {
        return document(status, REASONS.getOrDefault(status, "InternalError"), message) + "\n";
    }

    /** The document {@code Status}, keys in the order Kubernetes writes them. */
    public static ObjectNode document(int status, String reason, String message) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
        return node.put("status", "Failure")
                .put("message", message)
                .put("reason", reason)
                .put("code", status);
    }
}
