/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for a NATS server: clients subscribe, what is published here goes to all of them, and it can go away and come
 * back. It speaks no more of the protocol than that takes. Threadsafe.
 */
final class NatsStand implements AutoCloseable {
    static final String SUBJECT = "namespace.drill.component.backend.forward-pass-metrics";

    private final int port;
    private final List<Client> clients = new CopyOnWriteArrayList<>();
    private @Nullable ServerSocket socket;

    /** Listens on a free port of the loopback interface. */
    NatsStand() throws IOException {
        ServerSocket bound = bind(0);
        port = bound.getLocalPort();
        start(bound);
    }

    private static ServerSocket bind(int port) throws IOException {
        ServerSocket bound = new ServerSocket();
        bound.setReuseAddress(true);
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return bound;
    }

    int port() {
        return port;
    }

    /** Comes back. */
    void start() throws IOException {
        start(bind(port));
    }

    private synchronized void start(ServerSocket bound) {
        socket = bound;
        Thread thread = new Thread(() -> accept(bound), "chaos-nats");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept(ServerSocket bound) {
        while (!bound.isClosed()) {
            try {
                Client client = new Client(bound.accept());
                Thread thread = new Thread(client, "chaos-nats-client");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                // Closed, or the client was gone at once.
            }
        }
    }

    /** Goes away with all its connections. */
    synchronized void stop() throws IOException {
        ServerSocket bound = socket;
        socket = null;
        if (bound != null) {
            bound.close();
        }
        clients.forEach(Client::hangUp);
    }

    /** Passes a message on to all who are there. */
    void publish(byte[] body) {
        clients.forEach(client -> client.message(body));
    }

    @Override
    public void close() throws IOException {
        stop();
    }

    private final class Client implements Runnable {
        private final Socket peer;
        private volatile @Nullable String subscription;

        Client(Socket peer) {
            this.peer = peer;
            clients.add(this);
        }

        @Override
        public void run() {
            try (peer;
                    BufferedReader lines = new BufferedReader(new InputStreamReader(peer.getInputStream(), US_ASCII))) {
                write(
                        ("INFO {\"server_id\":\"D\",\"version\":\"2.10.0\",\"go\":\"go1\",\"host\":\"127.0.0.1\",\"port\":"
                                        + port + ",\"headers\":true,\"max_payload\":1048576,\"proto\":1}\r\n")
                                .getBytes(US_ASCII));
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("PING")) {
                        write("PONG\r\n".getBytes(US_ASCII));
                    } else if (line.startsWith("SUB ")) {
                        subscription = line.substring(line.lastIndexOf(' ') + 1);
                    }
                }
            } catch (IOException e) {
                // It is gone, as everything here may be.
            } finally {
                clients.remove(this);
            }
        }

        void message(byte[] body) {
            String id = subscription;
            if (id == null) {
                return;
            }
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            message.writeBytes(("MSG " + SUBJECT + " " + id + " " + body.length + "\r\n").getBytes(US_ASCII));
            message.writeBytes(body);
            message.writeBytes(new byte[] {'\r', '\n'});
            try {
                write(message.toByteArray());
            } catch (IOException e) {
                hangUp();
            }
        }

        private synchronized void write(byte[] bytes) throws IOException {
            peer.getOutputStream().write(bytes);
        }

        void hangUp() {
            try {
                peer.close();
            } catch (IOException e) {
                // It is closed either way.
            }
        }
    }
}
