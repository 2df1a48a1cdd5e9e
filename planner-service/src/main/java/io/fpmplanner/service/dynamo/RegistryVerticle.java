/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.dynamo;

import io.fpmplanner.service.config.DynamoSettings.Registry;
import io.fpmplanner.service.dynamo.Registration.Answer;
import io.fpmplanner.service.dynamo.Registration.Ask;
import io.fpmplanner.service.dynamo.Registration.Result;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.ServiceName;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the plugin with a Dynamo planner, says that it lives, and takes its leave at the end. Whatever the registry does,
 * the planner goes on; each change is one line in the log.
 */
public final class RegistryVerticle extends VerticleBase {
    private static final ServiceName SERVICE = ServiceName.create("dynamo.planner.plugin.v1.PluginRegistry");
    private static final long CALL_SECONDS = 5;
    private static final long LEAVE_SECONDS = 1;
    private static final Logger log = LoggerFactory.getLogger(RegistryVerticle.class);

    private final Registry registry;
    private final String version;
    private final RegistryMetrics metrics;
    private final double pace;
    private final Registration registration = new Registration();

    private @Nullable GrpcClient client;
    private String complaint = "";
    private long timer = -1;
    private boolean leaving;

    /**
     * Prepares the registration.
     *
     * @param registry where, and as what
     * @param version of the service
     * @param meters where calls are counted
     */
    public RegistryVerticle(Registry registry, String version, MeterRegistry meters) {
        this(registry, version, meters, 1);
    }

    /** The same, with all waits times a factor. */
    RegistryVerticle(Registry registry, String version, MeterRegistry meters, double pace) {
        this.registry = registry;
        this.version = version;
        this.metrics = new RegistryMetrics(meters);
        this.pace = pace;
    }

    @Override
    public Future<?> start() {
        client = GrpcClient.client(vertx);
        ask();
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        leaving = true;
        vertx.cancelTimer(timer);
        return registration.isRegistered()
                ? call(Ask.UNREGISTER, LEAVE_SECONDS).otherwiseEmpty()
                : Future.succeededFuture();
    }

    private void ask() {
        Ask asked = registration.next();
        call(asked, CALL_SECONDS)
                .otherwise(fault -> Answer.failed(reason(fault)))
                .onSuccess(answer -> {
                    if (!leaving) {
                        take(asked, answer);
                    }
                });
    }

    private void take(Ask asked, Answer answer) {
        boolean before = registration.isRegistered();
        double waitSeconds = registration.answered(answer);
        metrics.called(asked, answer.result());
        metrics.isRegistered(registration.isRegistered());
        if (registration.isRegistered() && !before) {
            complaint = "";
            log.atInfo()
                    .addKeyValue("registry", registry.address())
                    .addKeyValue("pluginId", registry.pluginId())
                    .addKeyValue("endpoint", registry.endpoint())
                    .log("registered with Dynamo's planner");
        } else if (answer.result() != Result.OK) {
            complain(asked, answer.why());
        } else if (asked == Ask.HEARTBEAT) {
            complaint = "";
        }
        timer = vertx.setTimer(Math.max(1, Math.round(1000 * pace * waitSeconds)), due -> ask());
    }

    /** Each reason once, not at every attempt. */
    private void complain(Ask asked, String why) {
        String text = asked.name().toLowerCase(Locale.ROOT) + ": " + (why.isEmpty() ? "refused" : why);
        if (!complaint.equals(text)) {
            complaint = text;
            log.atWarn()
                    .addKeyValue("registry", registry.address())
                    .addKeyValue("why", text)
                    .log("registration with Dynamo's planner is in doubt; trying again");
        }
    }

    private Future<Answer> call(Ask asked, long seconds) {
        return vertx.executeBlocking(this::token)
                .compose(token -> Objects.requireNonNull(client)
                        .request(SocketAddress.inetSocketAddress(
                                registry.address().firstPort(),
                                registry.address().host()))
                        .compose(request -> request.serviceName(SERVICE)
                                .methodName(method(asked))
                                .send(Buffer.buffer(message(asked, token))))
                        .compose(GrpcClientResponse::last)
                        .map(response -> RegistryMessages.answer(response.getBytes())))
                .timeout(seconds, TimeUnit.SECONDS);
    }

    private String token() throws java.io.IOException {
        return registry.tokenFile().isPresent()
                ? Files.readString(registry.tokenFile().get()).strip()
                : "";
    }

    private static String method(Ask asked) {
        return asked.name().charAt(0) + asked.name().substring(1).toLowerCase(Locale.ROOT);
    }

    private byte[] message(Ask asked, String token) {
        return switch (asked) {
            case REGISTER -> RegistryMessages.register(registry, version, token);
            case HEARTBEAT -> RegistryMessages.heartbeat(registry, token);
            case UNREGISTER -> RegistryMessages.unregister(registry, token);
        };
    }

    private static String reason(Throwable fault) {
        return fault.getMessage() == null ? fault.toString() : fault.getMessage();
    }
}
