/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

import java.io.IOException;
import java.net.BindException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A PUB socket on a Unix domain socket, which libzmq's {@code ipc://} subscribers can read.
 *
 * <p>Threads: one sends, a daemon of our own accepts, reads subscriptions and writes.
 */
final class IpcPublication implements Publication {
    /*
     * JeroMQ 0.6.0 fakes ipc by TCP on a port made of the path's hash, which nothing else speaks. What a PUB needs of ZMTP
     * (rfc.zeromq.org/spec/23) is little: a greeting, READY, and counting subscriptions.
     */
    private static final int BACKLOG = 64;

    private final Path path;
    private final ServerSocketChannel server;
    private final Selector selector;
    private final Set<IpcSubscriber> subscribers = ConcurrentHashMap.newKeySet();
    private volatile boolean running = true;

    IpcPublication(String address) throws BindException {
        path = Path.of(address.substring("ipc://".length()));
        try {
            // As libzmq does: a socket that a dead engine left behind must not keep the next one from binding.
            Files.deleteIfExists(path);
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(path), BACKLOG);
            server.configureBlocking(false);
            selector = Selector.open();
            server.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            BindException failure =
                    new BindException("cannot publish forward pass metrics on " + address + ": " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
        Thread thread = new Thread(this::run, "fpm-ipc-" + path);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public String endpoint() {
        return "ipc://" + path;
    }

    @Override
    public void send(byte[] sequence, byte[] payload) {
        boolean anyone = false;
        for (IpcSubscriber subscriber : subscribers) {
            anyone |= subscriber.offer(sequence, payload);
        }
        if (anyone) {
            selector.wakeup();
        }
    }

    private void run() {
        while (running) {
            try {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isValid() && key.isAcceptable()) {
                        accept();
                    } else if (key.isValid() && key.isReadable()) {
                        read((IpcSubscriber) key.attachment());
                    }
                }
                selector.selectedKeys().clear();
                subscribers.forEach(this::write);
            } catch (IOException e) {
                running = false;
            }
        }
        subscribers.forEach(this::drop);
    }

    private void accept() throws IOException {
        SocketChannel channel = server.accept();
        if (channel == null) {
            return;
        }
        channel.configureBlocking(false);
        IpcSubscriber subscriber = new IpcSubscriber(channel);
        channel.register(selector, SelectionKey.OP_READ, subscriber);
        subscribers.add(subscriber);
    }

    private void read(IpcSubscriber subscriber) {
        try {
            if (!subscriber.read()) {
                drop(subscriber);
            }
        } catch (IOException e) {
            drop(subscriber);
        }
    }

    private void write(IpcSubscriber subscriber) {
        try {
            boolean more = subscriber.write();
            SelectionKey key = subscriber.channel().keyFor(selector);
            if (key != null && key.isValid()) {
                key.interestOps(SelectionKey.OP_READ | (more ? SelectionKey.OP_WRITE : 0));
            }
        } catch (IOException e) {
            drop(subscriber);
        }
    }

    private void drop(IpcSubscriber subscriber) {
        subscribers.remove(subscriber);
        try {
            subscriber.channel().close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }

    @Override
    public void close() {
        running = false;
        selector.wakeup();
        try {
            server.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // The file stays behind, as after a crash.
        }
    }
}
