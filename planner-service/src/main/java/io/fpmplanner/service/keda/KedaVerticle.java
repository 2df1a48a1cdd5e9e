/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.keda;

import io.fpmplanner.service.access.AccessControl;
import io.fpmplanner.service.access.AccessRenewal;
import io.fpmplanner.service.access.Audit;
import io.fpmplanner.service.access.ConnectionLimit;
import io.fpmplanner.service.access.ServerShutdown;
import io.fpmplanner.service.access.ServingTls;
import io.fpmplanner.service.config.AccessSettings;
import io.fpmplanner.service.config.KedaSettings;
import io.fpmplanner.service.http.ServiceView;
import io.fpmplanner.service.keda.ExternalScaler.Refusal;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gRPC service {@code externalscaler.ExternalScaler} for KEDA's triggers {@code external} and {@code external-push}, and what
 * else is served on the same port, on an event loop of its own.
 */
public final class KedaVerticle extends VerticleBase {
    private static final String SERVICE = "externalscaler.ExternalScaler/";
    private static final long LOOK_MILLIS = 250;
    private static final int MOST_STREAMS = 256;
    private static final Logger log = LoggerFactory.getLogger(KedaVerticle.class);

    private final KedaSettings settings;
    private final AccessSettings access;
    private final Audit audit;
    private final MeterRegistry registry;
    private final ExternalScaler scaler;
    private final UnaryMethods others;
    private final Map<GrpcServerResponse<Buffer, Buffer>, Watch> streams = new HashMap<>();

    private @Nullable HttpServer server;
    private @Nullable CallGate gate;

    /** A client that waits for changes, and what it was told last. */
    private record Watch(ScaledObjectRef reference, boolean told, HttpConnection connection) {}

    /**
     * Prepares the service.
     *
     * @param service what may be read, with a configuration that has the port
     * @param signals what scalers are told
     * @param others asked about methods that are not KEDA's
     * @param audit told who was refused
     * @param registry where refusals are counted
     */
    public KedaVerticle(
            ServiceView service, ScalerSignals signals, UnaryMethods others, Audit audit, MeterRegistry registry) {
        this.settings = service.config().interfaces().keda();
        AccessSettings same = service.config().http().access();
        this.access = settings.access() == KedaSettings.Access.SAME
                ? same
                : AccessSettings.defaults().withLimits(same.requestsPerSecond(), same.connections());
        this.audit = audit;
        this.registry = registry;
        this.scaler = new ExternalScaler(service, signals);
        this.others = others;
    }

    @Override
    public Future<?> start() {
        GrpcServer grpc = GrpcServer.server(vertx).callHandler(this::call);
        ServingTls certificate =
                new ServingTls(vertx, settings.tls(), access.clients().caFile().isPresent());
        return vertx.executeBlocking(() -> new AccessControl(access)).compose(control -> {
            gate = new CallGate(control, audit, registry);
            // What is replaced is told by the REST interface, which reads the same files.
            AccessRenewal renewal = new AccessRenewal("the gRPC port", control, certificate, known -> {});
            return certificate
                    .configure(new HttpServerOptions().setUseAlpn(settings.tls().isPresent()))
                    .compose(options -> listen(grpc, options))
                    .onSuccess(listening -> renewal.start(vertx, listening));
        });
    }

    private Future<HttpServer> listen(GrpcServer grpc, HttpServerOptions options) {
        HttpServer created = vertx.createHttpServer(options);
        server = created;
        ConnectionLimit limit = new ConnectionLimit(access.connections());
        vertx.setPeriodic(LOOK_MILLIS, timer -> look());
        if (access.isGuarded() && access.clients().caFile().isEmpty()) {
            log.atWarn()
                    .log("KEDA and Dynamo's planner send no tokens and will be refused on the gRPC port: set"
                            + " http.clients for certificates, or keda.access to anyone");
        }
        if (!access.isGuarded()) {
            log.atWarn()
                    .addKeyValue("host", settings.host())
                    .log("the gRPC port asks nobody who they are; set http.tokens or http.clients");
        }
        return created.requestHandler(grpc)
                .connectionHandler(connection -> limit.admit(
                        connection, () -> streams.values().removeIf(watch -> watch.connection() == connection)))
                .exceptionHandler(
                        fault -> log.atDebug().addKeyValue("why", fault).log("connection failed"))
                .listen(settings.port().orElseThrow(), settings.host());
    }

    /** Takes no more calls, and lets what was asked already be answered for a moment. */
    @Override
    public Future<?> stop() {
        return ServerShutdown.of(server);
    }

    /** The bound port; only after the start has succeeded. */
    public int port() {
        return Objects.requireNonNull(server, "not started").actualPort();
    }

    private void call(GrpcServerRequest<Buffer, Buffer> request) {
        try {
            Objects.requireNonNull(gate, "not started").admit(request);
        } catch (Refusal e) {
            fail(request.response(), e.status(), String.valueOf(e.getMessage()));
            return;
        }
        // Unary and one-way-stream calls alike hold a single message from the client.
        request.handler(message -> answer(request, message.getBytes()));
    }

    private void answer(GrpcServerRequest<Buffer, Buffer> request, byte[] message) {
        GrpcServerResponse<Buffer, Buffer> response = request.response();
        try {
            switch (request.fullMethodName()) {
                case SERVICE + "IsActive" ->
                    send(response, Replies.active(scaler.active(ScaledObjectRef.read(message))));
                case SERVICE + "GetMetricSpec" -> send(response, scaler.specification(ScaledObjectRef.read(message)));
                case SERVICE + "GetMetrics" ->
                    send(response, scaler.metrics(ScaledObjectRef.readFromMetricsRequest(message)));
                case SERVICE + "StreamIsActive" -> stream(request, ScaledObjectRef.read(message));
                default -> answerOther(request.fullMethodName(), message, response);
            }
        } catch (Refusal e) {
            fail(response, e.status(), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            fail(response, GrpcStatus.INVALID_ARGUMENT, "the message is malformed");
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("method", request.fullMethodName())
                    .setCause(e)
                    .log("call failed");
            fail(response, GrpcStatus.INTERNAL, "this is a fault of the planner; see its log");
        }
    }

    private void answerOther(String method, byte[] message, GrpcServerResponse<Buffer, Buffer> response)
            throws IOException {
        byte[] answer = others.answer(method, message);
        if (answer == null) {
            // StreamMetricSpec too: KEDA takes it for an older scaler and asks by itself.
            fail(response, GrpcStatus.UNIMPLEMENTED, "no such method: " + method);
        } else {
            send(response, answer);
        }
    }

    private static void send(GrpcServerResponse<Buffer, Buffer> response, byte[] message) {
        response.end(Buffer.buffer(message));
    }

    private static void fail(GrpcServerResponse<Buffer, Buffer> response, GrpcStatus status, String message) {
        response.status(status).statusMessage(message).end();
    }

    private void stream(GrpcServerRequest<Buffer, Buffer> request, ScaledObjectRef reference) {
        GrpcServerResponse<Buffer, Buffer> response = request.response();
        if (streams.size() >= MOST_STREAMS) {
            fail(response, GrpcStatus.RESOURCE_EXHAUSTED, MOST_STREAMS + " streams are open already");
            return;
        }
        boolean active = scaler.active(reference);
        response.write(Buffer.buffer(Replies.active(active)));
        streams.put(response, new Watch(reference, active, request.connection()));
        request.exceptionHandler(gone -> streams.remove(response));
    }

    /** Tells those who wait what has changed. */
    private void look() {
        Map.copyOf(streams).forEach((response, watch) -> {
            boolean active = scaler.active(watch.reference());
            if (active != watch.told()) {
                streams.put(response, new Watch(watch.reference(), active, watch.connection()));
                response.write(Buffer.buffer(Replies.active(active))).onFailure(gone -> streams.remove(response));
            }
        });
    }
}
