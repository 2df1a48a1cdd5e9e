/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.HttpException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Declares routes so that each path answers wrong methods with 405 and every failure is a {@link Problem}. */
public final class Routes {
    /** Key under which the limit of a request's body is kept for its refusal. */
    private static final String LIMIT = "planner.limit";

    /** Is in the context of a request while its body is read, when whatever fails is the client's or the network's doing. */
    private static final String READING = "planner.reading";

    private static final Logger log = LoggerFactory.getLogger(Routes.class);

    private final Router router;
    private final int maxBodyBytes;

    /** Routes of one router; bodies may have so many bytes. */
    public Routes(Router router, int maxBodyBytes) {
        this.router = router;
        this.maxBodyBytes = maxBodyBytes;
    }

    /** GET and HEAD. */
    public void get(String path, Handler<RoutingContext> handler) {
        route(path, HttpMethod.GET).method(HttpMethod.HEAD).handler(handler);
        refuseOthers(path, "GET, HEAD");
    }

    /** POST of a JSON body within the limit. */
    public void postJson(String path, Handler<RoutingContext> handler) {
        post(path, List.of("application/json"), handler);
    }

    /** POST of a body of one of these media types within the limit. */
    public void post(String path, List<String> mediaTypes, Handler<RoutingContext> handler) {
        // Two routes, since Vert.x wants a body handler to be the first of its route.
        route(path, HttpMethod.POST).handler(context -> require(mediaTypes, context));
        router.route(HttpMethod.POST, path)
                .handler(BodyHandler.create(false).setBodyLimit(maxBodyBytes))
                .handler(context -> {
                    context.remove(READING);
                    handler.handle(context);
                });
        refuseOthers(path, "POST");
    }

    /** GET, PUT of a JSON body within the limit, and DELETE of one thing. */
    public void resource(
            String path, Handler<RoutingContext> get, Handler<RoutingContext> put, Handler<RoutingContext> delete) {
        route(path, HttpMethod.GET).method(HttpMethod.HEAD).handler(get);
        route(path, HttpMethod.DELETE).handler(delete);
        route(path, HttpMethod.PUT).handler(context -> require(List.of("application/json"), context));
        router.route(HttpMethod.PUT, path)
                .handler(BodyHandler.create(false).setBodyLimit(maxBodyBytes))
                .handler(context -> {
                    context.remove(READING);
                    put.handle(context);
                });
        refuseOthers(path, "GET, HEAD, PUT, DELETE");
    }

    private Route route(String path, HttpMethod method) {
        router.route(path).handler(context -> {
            context.put(RouteInstaller.TEMPLATE, path);
            context.next();
        });
        return router.route(method, path);
    }

    private void refuseOthers(String path, String allowed) {
        router.route(path).handler(context -> {
            context.response().putHeader("Allow", allowed);
            throw Problem.of(405, context.request().method() + " is not possible here; use " + allowed);
        });
    }

    /*
     * Before the body is read: a form would be taken apart by Vert.x. The declared length is refused early, so that a
     * client that waits for "100 Continue" is told at once.
     */
    private void require(List<String> mediaTypes, RoutingContext context) {
        String type = context.request().getHeader(HttpHeaders.CONTENT_TYPE);
        if (!mediaTypes.contains(mediaType(context))) {
            throw Problem.of(
                    415,
                    "Content-Type must be " + String.join(" or ", mediaTypes) + ", was "
                            + (type == null ? "absent" : "'" + type + "'"));
        }
        context.put(LIMIT, maxBodyBytes);
        context.put(READING, true);
        context.next();
    }

    /** The media type of the request's body in lower case, without parameters; empty if it has none. */
    public static String mediaType(RoutingContext context) {
        String type = context.request().getHeader(HttpHeaders.CONTENT_TYPE);
        return type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    /** What every request passes first and every failure last. */
    void installCommon() {
        router.route().order(-1_000).handler(context -> {
            context.response().putHeader("Cache-Control", "no-store").putHeader("X-Content-Type-Options", "nosniff");
            context.next();
        });
        router.route().order(1_000_000).handler(context -> {
            throw Problem.of(404, "nothing is at " + context.request().path());
        });
        router.route().failureHandler(this::fail);
        // Failures before routing, such as a path that cannot be decoded.
        router.errorHandler(
                400, context -> Problem.of(400, "the request is malformed").send(context));
        router.errorHandler(
                404,
                context -> Problem.of(404, "nothing is at " + context.request().path())
                        .send(context));
    }

    private void fail(RoutingContext context) {
        // Threads that answer take nothing more once the service shuts down.
        Throwable failure = context.failure() instanceof RejectedExecutionException
                ? Problem.of(503, "the service is shutting down")
                : context.failure();
        if (failure instanceof Problem problem) {
            if (problem.status() == 503 || problem.status() == 429) {
                context.response().putHeader("Retry-After", "1");
            }
            problem.send(context);
        } else if (context.statusCode() == 413) {
            // What is left of the body is not read; the connection cannot be used again.
            context.response().putHeader("Connection", "close");
            int limit = Objects.requireNonNullElse(context.get(LIMIT), maxBodyBytes);
            Problem.of(413, "the body is larger than " + limit + " bytes").send(context);
        } else if (context.get(READING) != null || isClientError(context.statusCode())) {
            log.atDebug()
                    .addKeyValue("method", context.request().method())
                    .addKeyValue("path", context.request().path())
                    .addKeyValue("why", failure)
                    .log("request could not be read");
            context.response().putHeader("Connection", "close");
            Problem.of(
                            isClientError(context.statusCode()) ? context.statusCode() : 400,
                            context.get(READING) != null
                                    ? "the body could not be read: it is malformed or was cut off"
                                    : "the request is malformed")
                    .send(context);
        } else if (failure instanceof HttpException http) {
            Problem.of(http.getStatusCode(), http.getPayload() == null ? "the request failed" : http.getPayload())
                    .send(context);
        } else if (failure == null && context.statusCode() >= 400) {
            Problem.of(context.statusCode(), "the request failed").send(context);
        } else {
            log.atError()
                    .addKeyValue("method", context.request().method())
                    .addKeyValue("path", context.request().path())
                    .setCause(failure)
                    .log("request failed");
            Problem.of(500, "this is a fault of the service; see its log").send(context);
        }
    }

    private static boolean isClientError(int status) {
        return status >= 400 && status < 500;
    }

    /** Answers what could not be taken apart as HTTP, before any routing; returns the status. */
    static int refuseMalformed(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        Problem problem = cause instanceof TooLongHttpLineException
                ? Problem.of(414, "the request line is too long")
                : cause instanceof TooLongHttpHeaderException
                        ? Problem.of(431, "the header fields are too long")
                        : Problem.of(400, "the request is malformed");
        log.atDebug().addKeyValue("why", cause).log("request could not be read");
        request.response().putHeader("Connection", "close");
        problem.send(request, request.response());
        return problem.status();
    }

    /** Answers 200 with a JSON document. */
    public static void send(RoutingContext context, ObjectNode document) {
        send(context.response(), "application/json", document.toString());
    }

    /** Answers with a text that may take long to make: on a worker thread. */
    static void sendLarge(RoutingContext context, String contentType, LargeBody body) {
        context.vertx()
                .executeBlocking(() -> BufferOutput.of(body), false)
                .onSuccess(made -> context.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, contentType)
                        .end(made))
                .onFailure(context::fail);
    }

    /** Answers with whatever status was set. */
    static void send(HttpServerResponse response, String contentType, String body) {
        response.putHeader(HttpHeaders.CONTENT_TYPE, contentType)
                .end(Buffer.buffer(body.getBytes(StandardCharsets.UTF_8)));
    }
}
