/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import io.fpmplanner.service.ServiceClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Many PUB sockets on one thread, each with its frames due at even distances, the sockets taking turns. What a socket does
 * not take waits, up to a high-water mark, and carries the time at which it should have been sent.
 */
final class LoadPublisher implements AutoCloseable {
    private static final int BACKLOG = 16;
    private static final long SHORTEST_WAIT_NANOS = 50_000;
    /** Between two writes to a lone socket, which would be woken for every few frames otherwise. */
    private static final long BATCH_NANOS = 1_000_000;

    private static final long LOOK_NANOS = 10_000_000;
    private static final int LONE_BUFFER_BYTES = 1 << 18;
    private static final int MESSAGES_IN_BUFFER = 8;

    private final Shape shape;
    private final FrameTemplates templates = new FrameTemplates();
    private final ServiceClock clock = new ServiceClock();
    private final Selector selector;
    private final List<String> addresses = new ArrayList<>();
    private final @Nullable Subscriber[] subscribers;
    private final ByteBuffer chunk = ByteBuffer.allocate(4096);
    private final byte[] workerId = new byte[FrameTemplates.workerIdBytes(0).length];
    private final List<Subscriber> late = new ArrayList<>();

    /**
     * What is published.
     *
     * @param sockets how many
     * @param workers that share each
     * @param directory where Unix-domain sockets are made; empty for TCP on the loopback address
     * @param highWaterMark frames that may wait for each socket
     */
    record Shape(int sockets, int workers, Optional<Path> directory, int highWaterMark) {}

    /** Binds all sockets. */
    LoadPublisher(Shape shape) throws IOException {
        this.shape = shape;
        this.subscribers = new Subscriber[shape.sockets()];
        this.selector = Selector.open();
        for (int i = 0; i < shape.sockets(); i++) {
            ServerSocketChannel server = bind(i);
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT, i);
        }
    }

    private ServerSocketChannel bind(int index) throws IOException {
        if (shape.directory().isPresent()) {
            Path path = shape.directory().get().resolve("fpm." + index);
            addresses.add("ipc://" + path);
            return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                    .bind(UnixDomainSocketAddress.of(path), BACKLOG);
        }
        ServerSocketChannel server = ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0), BACKLOG);
        addresses.add("tcp://127.0.0.1:" + server.socket().getLocalPort());
        return server;
    }

    List<String> addresses() {
        return addresses;
    }

    /** Serves handshakes until every socket has a subscriber. */
    void awaitSubscribers() throws IOException {
        while (!isComplete()) {
            selector.select(this::onSelected, 100);
        }
    }

    private boolean isComplete() {
        for (Subscriber subscriber : subscribers) {
            if (subscriber == null || !subscriber.isSubscribed()) {
                return false;
            }
        }
        return true;
    }

    private void onSelected(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept((ServerSocketChannel) key.channel(), (Integer) key.attachment());
            } else if (key.isReadable()) {
                ((Subscriber) key.attachment()).read(chunk);
            }
        } catch (IOException e) {
            key.cancel();
        }
    }

    private void accept(ServerSocketChannel server, int index) throws IOException {
        SocketChannel peer = server.accept();
        if (peer == null) {
            return;
        }
        peer.configureBlocking(false);
        byte[] ids = new byte[shape.workers() * workerId.length];
        for (int i = 0; i < shape.workers(); i++) {
            System.arraycopy(
                    FrameTemplates.workerIdBytes(index * shape.workers() + i),
                    0,
                    ids,
                    i * workerId.length,
                    workerId.length);
        }
        int buffer = shape.sockets() == 1 ? LONE_BUFFER_BYTES : MESSAGES_IN_BUFFER * templates.longestMessage();
        Subscriber subscriber = new Subscriber(peer, ids, buffer);
        subscribers[index] = subscriber;
        peer.register(selector, SelectionKey.OP_READ, subscriber);
    }

    /**
     * What was sent.
     *
     * @param frames handed to the kernel
     * @param dropped given up at the high-water mark
     */
    record Sent(long frames, long dropped) {}

    /** Publishes for a while, at so many frames a second over all sockets, and waits for the last to be written. */
    Sent publish(double framesPerSecond, double seconds) throws IOException {
        long startNanos = clock.getAsLong();
        double period = 1e9 / framesPerSecond;
        long total = Math.round(framesPerSecond * seconds);
        long next = 0;
        long lookAt = startNanos;
        long giveUpNanos = startNanos + Math.round((seconds + 10) * 1e9);
        while ((next < total || !late.isEmpty()) && clock.getAsLong() < giveUpNanos) {
            long now = clock.getAsLong();
            for (int i = late.size() - 1; i >= 0; i--) {
                if (send(late.get(i), now, period)) {
                    late.remove(i);
                }
            }
            long due = Math.min(total, (long) ((now - startNanos) / period) + 1);
            next = shape.sockets() == 1 ? lone(next, due, now, period) : each(next, due, now, period);
            if (now >= lookAt) {
                selector.selectNow(this::onSelected);
                lookAt = now + LOOK_NANOS;
            }
            rest(startNanos + (long) (next * period) - clock.getAsLong());
        }
        return sent();
    }

    private void rest(long untilDueNanos) {
        long least = shape.sockets() == 1 ? BATCH_NANOS : SHORTEST_WAIT_NANOS;
        LockSupport.parkNanos(Math.max(least, Math.min(untilDueNanos, LOOK_NANOS)));
    }

    private long lone(long next, long due, long now, double period) throws IOException {
        Subscriber only = subscribers[0];
        if (only != null && due > next) {
            only.due += due - next;
            serve(only, now, period);
        }
        return due;
    }

    private long each(long next, long due, long now, double period) throws IOException {
        for (long i = next; i < due; i++) {
            Subscriber subscriber = subscribers[(int) (i % subscribers.length)];
            if (subscriber != null) {
                subscriber.due++;
                serve(subscriber, now, period);
            }
        }
        return due;
    }

    private void serve(Subscriber subscriber, long now, double period) throws IOException {
        if (!late.contains(subscriber) && !send(subscriber, now, period)) {
            late.add(subscriber);
        }
    }

    /** Sends what is due to one; returns whether it took all. */
    private boolean send(Subscriber to, long now, double period) throws IOException {
        long overflow = to.due - to.done - shape.highWaterMark();
        if (overflow > 0) {
            to.done += overflow;
            to.droppedFrames += overflow;
        }
        boolean first = !late.contains(to);
        while (to.done < to.due) {
            while (to.done < to.due && to.out().remaining() >= templates.longestMessage()) {
                // One that is late carries about the time at which it was due.
                long behind = first ? 0 : (long) ((to.due - to.done) * period * subscribers.length);
                to.workerId(workerId);
                templates.write(to.out(), workerId, to.done / shape.workers(), now - Math.min(behind, now));
                to.done++;
            }
            if (!to.flush()) {
                return false;
            }
        }
        return to.flush();
    }

    private Sent sent() {
        long frames = 0;
        long dropped = 0;
        for (Subscriber subscriber : subscribers) {
            if (subscriber != null) {
                frames += subscriber.done - subscriber.droppedFrames;
                dropped += subscriber.droppedFrames;
            }
        }
        return new Sent(frames, dropped);
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
