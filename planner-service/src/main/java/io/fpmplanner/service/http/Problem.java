/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** An error answer in the form of RFC 9457, {@code application/problem+json}. */
public final class Problem extends RuntimeException {
    static final String CONTENT_TYPE = "application/problem+json";
    private static final long serialVersionUID = 1L;

    /** Questions are answered up to steps so many times as large as the largest seen. */
    public static final double EXTRAPOLATION_BOUND = 2;

    private static final Map<Integer, String> TITLES = Map.ofEntries(
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(409, "Conflict"),
            Map.entry(413, "Content Too Large"),
            Map.entry(414, "URI Too Long"),
            Map.entry(415, "Unsupported Media Type"),
            Map.entry(422, "Unprocessable Content"),
            Map.entry(429, "Too Many Requests"),
            Map.entry(431, "Request Header Fields Too Large"),
            Map.entry(500, "Internal Server Error"),
            Map.entry(503, "Service Unavailable"));

    private final int status;
    private final String detail;
    private final transient ObjectNode members = JsonNodeFactory.instance.objectNode();

    private Problem(int status, String detail) {
        // Part of the answer, not of the log: a stack trace would cost more than the request.
        super(detail, null, false, false);
        this.status = status;
        this.detail = detail;
    }

    /** A problem with that HTTP status; the detail is for people. */
    public static Problem of(int status, String detail) {
        return new Problem(status, detail);
    }

    /** A 400 that names the offending field of the body. */
    public static Problem field(String field, String detail) {
        Problem problem = new Problem(400, detail);
        problem.members.put("field", field);
        return problem;
    }

    /** A 400 about a field that lies outside a range. */
    public static Problem outside(String field, String detail, String least, String most) {
        Problem problem = field(field, detail);
        problem.members.putObject("allowed").put("minimum", least).put("maximum", most);
        return problem;
    }

    /** A 422: a question that needs steps so many times as large as the largest seen, more than {@link #EXTRAPOLATION_BOUND}. */
    public static Problem tooFar(double factor) {
        Problem problem = of(
                422,
                String.format(
                        Locale.ROOT,
                        "this needs steps %.1f times as large as the largest seen; answers go up to %.0f times",
                        factor,
                        EXTRAPOLATION_BOUND));
        problem.members.putObject("extrapolation").put("factor", factor).put("bound", EXTRAPOLATION_BOUND);
        return problem;
    }

    int status() {
        return status;
    }

    /** Further members of the document. */
    public ObjectNode members() {
        return members;
    }

    void send(RoutingContext context) {
        send(context.request(), context.response());
    }

    /** Answers; with the response given, since the one of a routing context counts and times. */
    void send(HttpServerRequest request, HttpServerResponse response) {
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            response.reset();
            return;
        }
        if (KubernetesErrors.areExpected(request)) {
            response.setStatusCode(status)
                    .putHeader("Content-Type", "application/json")
                    .end(KubernetesErrors.document(status, detail));
            return;
        }
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("type", "about:blank")
                .put("title", TITLES.getOrDefault(status, "Error"))
                .put("status", status)
                .put("detail", detail);
        if (!request.decoderResult().isFailure()) {
            document.put("instance", request.path());
        }
        document.setAll(members);
        response.setStatusCode(status)
                .putHeader("Content-Type", CONTENT_TYPE)
                .end(Buffer.buffer(document.toString().getBytes(StandardCharsets.UTF_8)));
    }
}
