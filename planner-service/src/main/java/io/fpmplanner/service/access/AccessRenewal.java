/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over other certificates, authorities and tokens of one server socket while it serves; what cannot be read is told once,
 * and what was in force stays. Used by the event loop of that socket.
 */
public final class AccessRenewal {
    /** Without certificates of its own, a socket looks for other tokens and authorities as often. */
    private static final double RELOAD_SECONDS = 10;

    private static final Logger log = LoggerFactory.getLogger(AccessRenewal.class);

    private final String name;
    private final AccessControl control;
    private final ServingTls tls;
    private final IntConsumer credentials;
    private String complaint = "";

    /**
     * Prepares it.
     *
     * @param name of the socket, for the log
     * @param credentials told how many credentials are known when they were replaced
     */
    public AccessRenewal(String name, AccessControl control, ServingTls tls, IntConsumer credentials) {
        this.name = name;
        this.control = control;
        this.tls = tls;
        this.credentials = credentials;
    }

    /** Looks again and again from now on, if there is anything that could be replaced. */
    public void start(Vertx vertx, HttpServer server) {
        if (control.isGuarded() || tls.reloadSeconds().isPresent()) {
            double seconds = tls.reloadSeconds().orElse(RELOAD_SECONDS);
            vertx.setPeriodic(Math.round(seconds * 1000), timer -> reload(vertx, server));
        }
    }

    private void reload(Vertx vertx, HttpServer server) {
        vertx.executeBlocking(control::reload)
                .compose(replaced -> {
                    replaced.ifPresent(credentials::accept);
                    return tls.reload(server);
                })
                .onSuccess(replaced -> {
                    complaint = "";
                    replaced.ifPresent(notAfter ->
                            log.atInfo().addKeyValue("notAfter", notAfter).log("certificate of {} replaced", name));
                })
                .onFailure(this::complain);
    }

    /** Each fault once, not at every attempt. */
    private void complain(Throwable fault) {
        if (!complaint.equals(fault.toString())) {
            complaint = fault.toString();
            log.atWarn()
                    .addKeyValue("why", complaint)
                    .log("certificates or tokens cannot be read anew; what is in force stays");
        }
    }
}
