/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import io.fpmplanner.service.access.AccessControl;
import io.fpmplanner.service.access.AccessControl.Decision;
import io.fpmplanner.service.access.AccessRole;
import io.fpmplanner.service.access.AccessRules;
import io.fpmplanner.service.access.Audit;
import io.fpmplanner.service.access.ClientCertificates;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Lets requests through that may, before any route is looked for. All on the HTTP verticle's event loop. */
final class AccessGate {
    private static final int ORDER = -998;
    private static final String REALM = "fpm-planner";

    private final AccessControl control;
    private final Audit audit;
    private final boolean tls;
    private final Overload overload;
    private final Map<AccessControl.Outcome, Counter> refusals = new EnumMap<>(AccessControl.Outcome.class);
    private final Counter shed;

    AccessGate(AccessControl control, Audit audit, boolean tls, MeterRegistry registry) {
        this.control = control;
        this.audit = audit;
        this.tls = tls;
        this.overload = new Overload();
        for (AccessControl.Outcome outcome : AccessControl.Outcome.values()) {
            if (outcome != AccessControl.Outcome.ADMITTED) {
                refusals.put(outcome, refusals(registry, outcome.name().toLowerCase(Locale.ROOT)));
            }
        }
        shed = refusals(registry, "overload");
    }

    private static Counter refusals(MeterRegistry registry, String reason) {
        return Counter.builder("fpm_planner.http.refused")
                .description("Requests that were refused before they were looked at.")
                .tag("reason", reason)
                .register(registry);
    }

    void install(Vertx vertx, Router router) {
        overload.start(vertx);
        router.route().order(ORDER).handler(this::admit);
    }

    private void admit(RoutingContext context) {
        HttpServerRequest request = context.request();
        headers(context);
        String address = request.remoteAddress().hostAddress();
        String path = path(context);
        String method = request.method().name();
        long nowNanos = System.nanoTime();
        Decision decision = control.decide(
                AccessRules.needed(method, path),
                new AccessControl.Caller(
                        address, request.getHeader("Authorization"), tls ? ClientCertificates.of(request) : List.of()),
                nowNanos);
        if (decision.outcome() != AccessControl.Outcome.ADMITTED) {
            refuse(context, decision, address);
            return;
        }
        if (isForged(request)) {
            audit.refused(decision.who(), address, method + " " + path, "sent by a page of another site");
            throw Problem.of(403, "requests that change something may not come from pages of other sites");
        }
        if (decision.needed().isPresent() && !overload.admits(nowNanos)) {
            shed.increment();
            throw Problem.of(503, "the planner is overloaded; try again in a second");
        }
        if (decision.needed().filter(AccessRole.OPERATE::equals).isPresent()) {
            context.addEndHandler(done -> audit.operated(
                    decision.who(),
                    address,
                    method + " " + path,
                    context.response().getStatusCode()));
        }
        context.next();
    }

    /** As routes are found by it. */
    private static String path(RoutingContext context) {
        try {
            return context.normalizedPath();
        } catch (IllegalArgumentException e) {
            throw Problem.of(400, "the request is malformed");
        }
    }

    private void headers(RoutingContext context) {
        context.response()
                .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
                .putHeader("X-Frame-Options", "DENY")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin");
        if (tls) {
            context.response().putHeader("Strict-Transport-Security", "max-age=31536000");
        }
    }

    /**
     * A browser that sends what the user is known by along with a request of somebody else's page says so, older ones only by
     * the page's origin.
     */
    private static boolean isForged(HttpServerRequest request) {
        String method = request.method().name();
        if (method.equals("GET") || method.equals("HEAD")) {
            return false;
        }
        String site = request.getHeader("Sec-Fetch-Site");
        String origin = request.getHeader("Origin");
        if (site != null || origin == null) {
            return "cross-site".equals(site);
        }
        String host = request.getHeader("Host");
        return !origin.equals("http://" + host) && !origin.equals("https://" + host);
    }

    private void refuse(RoutingContext context, Decision decision, String address) {
        Objects.requireNonNull(refusals.get(decision.outcome())).increment();
        String action = context.request().method().name() + " " + context.normalizedPath();
        switch (decision.outcome()) {
            case RATE -> {
                if (context.request().getHeader("Authorization") != null) {
                    // Whoever guesses tokens gets here after a few.
                    audit.refused(decision.who(), address, action, "too many requests or wrong tokens");
                }
                throw Problem.of(429, "too many requests; try again in a second");
            }
            case UNKNOWN -> {
                if (context.request().getHeader("Authorization") != null) {
                    audit.refused(decision.who(), address, action, "wrong token");
                }
                context.response().putHeader("WWW-Authenticate", "Basic realm=\"" + REALM + "\", charset=\"UTF-8\"");
                throw Problem.of(
                        401,
                        context.request().getHeader("Authorization") == null
                                ? "say who you are: a bearer token, or the token as the password of the basic scheme"
                                : "this token is not known here");
            }
            case ROLE -> {
                audit.refused(
                        decision.who(),
                        address,
                        action,
                        "needs the role " + decision.needed().orElseThrow());
                throw Problem.of(403, "this needs the role " + decision.needed().orElseThrow());
            }
            default -> {
                audit.refused(decision.who(), address, action, "address not allowed");
                context.response().putHeader("Connection", "close");
                throw Problem.of(403, "this address may not ask here");
            }
        }
    }
}
