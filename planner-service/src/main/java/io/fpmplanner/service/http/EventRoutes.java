/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.planner.PlanView;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@code /v1/events} and {@code /v1/pools/:pool/events}: a document at every plan, as server-sent events (WHATWG HTML,
 * section 9.2). All on the HTTP verticle's event loop.
 *
 * <p>Nothing is queued for a client that reads too slowly: it misses plans, and is let go when it has taken nothing for a
 * while. While nobody listens, nothing is done.
 */
final class EventRoutes {
    /** More clients than that get 503. */
    static final int MOST_CLIENTS = 64;

    private static final long LOOK_MILLIS = 100;
    private static final long STUCK_NANOS = 30_000_000_000L;
    private static final long SILENCE_NANOS = 15_000_000_000L;
    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final ServiceView service;
    private final PoolRoutes pools;
    private final List<Client> clients = new ArrayList<>();
    private long timer = NO_TIMER;
    private long sentNanos;

    EventRoutes(Vertx vertx, ServiceView service, PoolRoutes pools) {
        this.vertx = vertx;
        this.service = service;
        this.pools = pools;
    }

    private static final class Client {
        private final HttpServerResponse response;
        private final String event;
        private final Function<PlanView, ObjectNode> writer;
        private long takenNanos = System.nanoTime();

        Client(HttpServerResponse response, String event, Function<PlanView, ObjectNode> writer) {
            this.response = response;
            this.event = event;
            this.writer = writer;
        }

        /** Whether the client may stay. */
        boolean send(String text) {
            long now = System.nanoTime();
            if (response.writeQueueFull()) {
                return now - takenNanos < STUCK_NANOS;
            }
            takenNanos = now;
            response.write(text);
            return true;
        }
    }

    void install(Routes routes) {
        routes.get("/v1/events", context -> open(context, "pools", pools::list));
        routes.get("/v1/pools/:pool/events", context -> {
            String id = context.pathParam("pool");
            pools.document(pools.plan(), id);
            open(context, "pool", plan -> pools.document(plan, id));
        });
    }

    private void open(RoutingContext context, String event, Function<PlanView, ObjectNode> writer) {
        HttpServerResponse response = context.response();
        if (clients.size() >= MOST_CLIENTS) {
            throw Problem.of(503, MOST_CLIENTS + " clients listen already, which is the limit");
        }
        response.putHeader("Content-Type", "text/event-stream").putHeader("X-Accel-Buffering", "no");
        if (context.request().method().equals(HttpMethod.HEAD)) {
            response.end();
            return;
        }
        response.setChunked(true);
        Client client = new Client(response, event, writer);
        response.closeHandler(closed -> close(client));
        response.exceptionHandler(fault -> close(client));
        clients.add(client);
        client.send("retry: 1000\n\n");
        service.plan().ifPresent(plan -> client.send(text(client, plan)));
        if (timer == NO_TIMER) {
            sentNanos = service.plan().map(PlanView::nowNanos).orElse(0L);
            timer = vertx.setPeriodic(LOOK_MILLIS, tick -> look());
        }
    }

    private void close(Client client) {
        clients.remove(client);
        if (clients.isEmpty() && timer != NO_TIMER) {
            vertx.cancelTimer(timer);
            timer = NO_TIMER;
        }
    }

    /** Tells all who listen that nothing more comes. */
    void end() {
        List.copyOf(clients).forEach(client -> client.response.end());
    }

    private void look() {
        Optional<PlanView> plan = service.plan().filter(newest -> newest.nowNanos() != sentNanos);
        plan.ifPresent(newest -> sentNanos = newest.nowNanos());
        for (Client client : List.copyOf(clients)) {
            boolean silent = System.nanoTime() - client.takenNanos > SILENCE_NANOS;
            String text = plan.map(newest -> text(client, newest)).orElse(silent ? ": no plan\n\n" : "");
            if (!text.isEmpty() && !client.send(text)) {
                client.response.reset();
                close(client);
            }
        }
    }

    private static String text(Client client, PlanView plan) {
        return "event: " + client.event + "\nid: " + plan.nowNanos() + "\ndata: " + client.writer.apply(plan) + "\n\n";
    }
}
