/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.nats;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a NATS server is connected to: for good, whether or not it is there at the start, with the credentials that Dynamo
 * reads from the environment.
 */
public final class NatsConnection {
    private static final Duration RECONNECT_WAIT = Duration.ofMillis(500);
    private static final Duration RECONNECT_JITTER = Duration.ofMillis(250);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PING_INTERVAL = Duration.ofSeconds(10);
    private static final int PENDING_PINGS = 2;

    /** How the address of a server in the clear begins. */
    public static final String PLAIN = "nats://";

    /** How the address of a server with TLS begins. */
    public static final String TLS = "tls://";

    private NatsConnection() {}

    /** What happens to a connection. Called on threads of the NATS library. */
    public interface Events {
        /** Connected, for the first time or again. */
        void connected(Connection connection);

        /** Not connected; it is tried again and again. */
        void disconnected(Connection connection, String why);

        /** Messages were thrown away because they were not taken fast enough. */
        void slow();
    }

    /**
     * Begins to connect and returns at once.
     *
     * @param server {@link #PLAIN} or {@link #TLS} and {@code HOST:PORT}
     * @param environment for the credentials: {@code NATS_AUTH_USERNAME} and {@code NATS_AUTH_PASSWORD}, or {@code
     *     NATS_AUTH_TOKEN}; and {@code NATS_TLS_CA_FILE}, a PEM file with the authorities of servers
     * @param settings further settings
     * @param events told from now on
     * @throws UncheckedIOException naming the file of authorities if it cannot be used
     */
    public static void open(
            String server, Map<String, String> environment, Consumer<Options.Builder> settings, Events events) {
        Options.Builder builder = new Options.Builder()
                .server(server)
                .connectionName("fpm-planner")
                .maxReconnects(-1)
                .reconnectWait(RECONNECT_WAIT)
                .reconnectJitter(RECONNECT_JITTER)
                .connectionTimeout(CONNECT_TIMEOUT)
                .pingInterval(PING_INTERVAL)
                .maxPingsOut(PENDING_PINGS)
                .noNoResponders()
                .errorListener(new Troubles(events))
                .connectionListener((connection, event) -> changed(connection, event, events));
        authenticate(builder, environment::get);
        if (server.startsWith(TLS)) {
            builder.sslContext(NatsTrust.context(environment.get("NATS_TLS_CA_FILE")));
        }
        settings.accept(builder);
        try {
            Nats.connectAsynchronously(builder.build(), true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void authenticate(Options.Builder builder, Function<String, @Nullable String> environment) {
        String user = environment.apply("NATS_AUTH_USERNAME");
        String password = environment.apply("NATS_AUTH_PASSWORD");
        String token = environment.apply("NATS_AUTH_TOKEN");
        if (user != null && password != null) {
            builder.userInfo(user.toCharArray(), password.toCharArray());
        } else if (token != null) {
            builder.token(token.toCharArray());
        }
    }

    private static void changed(Connection connection, ConnectionListener.Events event, Events events) {
        switch (event) {
            case CONNECTED, RECONNECTED -> events.connected(connection);
            case DISCONNECTED, CLOSED -> {
                String error = connection.getLastError();
                events.disconnected(connection, error == null || error.isEmpty() ? "the server is not reached" : error);
            }
            default -> {
                // Resubscribed, discovered servers, lame duck: nothing changes for us.
            }
        }
    }

    /** The library's own listener would log to java.util.logging. */
    private static final class Troubles implements ErrorListener {
        private final Events events;

        Troubles(Events events) {
            this.events = events;
        }

        @Override
        public void errorOccurred(Connection connection, String error) {
            events.disconnected(connection, error);
        }

        @Override
        public void exceptionOccurred(Connection connection, Exception problem) {
            if (problem instanceof IOException) {
                events.disconnected(connection, String.valueOf(problem.getMessage()));
            }
        }

        @Override
        public void slowConsumerDetected(Connection connection, io.nats.client.Consumer consumer) {
            events.slow();
        }
    }
}
