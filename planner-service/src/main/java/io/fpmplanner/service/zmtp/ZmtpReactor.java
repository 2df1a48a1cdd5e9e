/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread with one selector that serves any number of ZMTP links. Links that have no connection are tried again with a
 * wait that doubles; a thousand dead ones cost a few percent of a core.
 *
 * <p>Threadsafe. Listeners are called on the reactor's thread; what they throw is logged and harms no other link.
 */
public final class ZmtpReactor implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ZmtpReactor.class);
    /** How often links are looked at for what is due; a wait is that much longer at most. */
    private static final long TICK_MILLIS = 100;

    /*
     * Whoever waits for a batch sleeps until then, and waking it costs more than a few messages do: with a thousand busy
     * connections a quarter of all processor time. So batches are told of at least so far apart; a first message is told of
     * at once.
     */
    private static final long BATCH_NANOS = 300_000;
    /** A batch that was too soon is told of after this at the latest, even if nothing else comes. */
    private static final long SOON_MILLIS = 1;

    private static final long JOIN_MILLIS = 2_000;
    private static final int READ_BYTES = 65_536;
    /** More of an unfinished message stays where it is, and what is read is copied to it. */
    static final int MOST_LEFT_BYTES = 8_192;

    private static final int BACKLOG = 1_024;
    /** Unfinished messages of all links together; beyond it the link that needs more is closed. */
    private static final long MAX_PENDING_BYTES = 64 << 20;

    private static final int MAX_FAILURE_LOGS = 100;

    private final ZmtpSettings settings;
    private final Runnable afterBatch;
    private final Selector selector;
    private final Thread thread;
    private final byte[] received = new byte[READ_BYTES];
    private final ByteBuffer buffer = ByteBuffer.wrap(received);
    private final ZmtpMessage message = new ZmtpMessage();
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Set<ZmtpLink> links = new LinkedHashSet<>();
    private final List<ServerSocketChannel> servers = new ArrayList<>();
    private final List<SelectionKey> resumeAccepting = new ArrayList<>();
    private final List<ZmtpLink> due = new ArrayList<>();
    private volatile boolean running = true;
    private long nowNanos = System.nanoTime();
    private long nextTickNanos = nowNanos;
    private long toldNanos = nowNanos;
    private boolean untold;
    private long pendingBytes;
    private int failures;

    /**
     * A reactor whose thread does not run yet.
     *
     * @param name of the thread
     * @param afterBatch called on the thread after each batch of work, for instance to hand on what was received; batches that
     *     follow each other within a third of a millisecond are one, and all is told within little more than a millisecond
     */
    public ZmtpReactor(String name, ZmtpSettings settings, Runnable afterBatch) {
        this.settings = settings;
        this.afterBatch = afterBatch;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("no selector can be opened", e);
        }
    }

    /** Starts the thread; call it once. */
    public void start() {
        thread.start();
    }

    /** Whether the thread runs. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Has something done on the reactor's thread, soon. */
    public void execute(Runnable command) {
        commands.add(command);
        selector.wakeup();
    }

    /**
     * Connects, and connects again whenever there is no connection, until the link is closed.
     *
     * @param topics prefixes to subscribe to, for a SUB; an empty one means everything
     * @param target of TCP (resolved) or a Unix-domain socket
     */
    public ZmtpLink connect(SocketKind kind, List<byte[]> topics, SocketAddress target, LinkListener listener) {
        ZmtpLink link = new ZmtpLink(this, kind, topics, listener, target);
        execute(() -> {
            links.add(link);
            link.connect(selector, nowNanos);
        });
        return link;
    }

    /**
     * Listens on an address; returns when it does.
     *
     * @return the address that is bound
     * @throws IOException if it cannot be bound
     */
    public SocketAddress bind(SocketKind kind, List<byte[]> topics, SocketAddress address, AcceptListener listener)
            throws IOException {
        ServerSocketChannel server = address instanceof InetSocketAddress
                ? ServerSocketChannel.open()
                : ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.configureBlocking(false);
            server.bind(address, BACKLOG);
            execute(() -> {
                servers.add(server);
                register(server, new Acceptor(server, kind, topics, listener));
            });
            return server.getLocalAddress();
        } catch (IOException | RuntimeException e) {
            closeQuietly(server);
            throw e;
        }
    }

    private void register(ServerSocketChannel server, Acceptor acceptor) {
        try {
            server.register(selector, SelectionKey.OP_ACCEPT, acceptor);
        } catch (IOException e) {
            failed(e);
        }
    }

    private final class Acceptor {
        private final ServerSocketChannel server;
        private final SocketKind kind;
        private final List<byte[]> topics;
        private final AcceptListener listener;

        Acceptor(ServerSocketChannel server, SocketKind kind, List<byte[]> topics, AcceptListener listener) {
            this.server = server;
            this.kind = kind;
            this.topics = topics;
            this.listener = listener;
        }

        void accept() throws IOException {
            SocketChannel peer = takePeer();
            if (peer == null) {
                return;
            }
            LinkListener told = listener.accepted(peer.getRemoteAddress());
            if (told == null) {
                closeQuietly(peer);
                return;
            }
            ZmtpLink link = new ZmtpLink(ZmtpReactor.this, kind, topics, told, null);
            links.add(link);
            link.adopt(peer, selector, nowNanos);
        }

        /* Without file descriptors the peer stays in the queue, so that the selector would report it again at once. */
        private @Nullable SocketChannel takePeer() throws IOException {
            try {
                return server.accept();
            } catch (IOException e) {
                SelectionKey key = server.keyFor(selector);
                if (key != null && key.isValid()) {
                    key.interestOps(0);
                    resumeAccepting.add(key);
                }
                throw e;
            }
        }
    }

    ZmtpSettings settings() {
        return settings;
    }

    /**
     * Reads what is there into {@link #received()}, behind what was left of an earlier read.
     *
     * @param left the bytes that go to its start, {@value #MOST_LEFT_BYTES} at most
     * @param length how many of them
     * @return the number of bytes that were read, or -1 at the end of the stream
     */
    int read(SocketChannel channel, byte[] left, int length) throws IOException {
        System.arraycopy(left, 0, received, 0, length);
        buffer.clear().position(length);
        return channel.read(buffer);
    }

    byte[] received() {
        return received;
    }

    ZmtpMessage message() {
        return message;
    }

    void remove(ZmtpLink link) {
        links.remove(link);
    }

    /** Counts what links hold of unfinished messages. */
    void countPending(int bytes) {
        pendingBytes += bytes;
    }

    /** Whether links hold more than there is room for. */
    boolean isOverfull() {
        return pendingBytes > MAX_PENDING_BYTES;
    }

    private void run() {
        try {
            while (running) {
                turn();
            }
        } finally {
            List.copyOf(links).forEach(ZmtpLink::closeNow);
            servers.forEach(ZmtpReactor::closeQuietly);
            closeQuietly(selector);
        }
    }

    private void turn() {
        try {
            selector.select(this::onSelected, untold ? SOON_MILLIS : TICK_MILLIS);
            nowNanos = System.nanoTime();
            for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
                command.run();
            }
            if (nowNanos - nextTickNanos >= 0) {
                nextTickNanos = nowNanos + TICK_MILLIS * 1_000_000;
                onTick();
            }
            tell();
        } catch (IOException | RuntimeException e) {
            failed(e);
        }
    }

    private void tell() {
        untold = nowNanos - toldNanos < BATCH_NANOS;
        if (!untold) {
            toldNanos = nowNanos;
            afterBatch.run();
        }
    }

    private void onTick() {
        for (SelectionKey key : resumeAccepting) {
            if (key.isValid()) {
                key.interestOps(SelectionKey.OP_ACCEPT);
            }
        }
        resumeAccepting.clear();
        // A copy, for a link may end itself.
        due.addAll(links);
        for (ZmtpLink link : due) {
            link.onTick(selector, nowNanos);
        }
        due.clear();
    }

    private void onSelected(SelectionKey key) {
        nowNanos = System.nanoTime();
        try {
            if (key.attachment() instanceof ZmtpLink link) {
                link.onSelected(nowNanos);
            } else if (key.attachment() instanceof Acceptor acceptor) {
                acceptor.accept();
            }
        } catch (IOException | RuntimeException e) {
            failed(e);
        }
    }

    /* Whatever one link or command does, the others must go on; nothing here is expected, so that all of it is a fault. */
    private void failed(Exception problem) {
        failures++;
        if (running && failures <= MAX_FAILURE_LOGS) {
            log.atError().setCause(problem).log("receiving failed; going on");
        }
    }

    /** An exception as words for a log line. */
    static String why(Exception problem) {
        String message = problem.getMessage();
        return message == null ? problem.getClass().getSimpleName() : message;
    }

    static void closeQuietly(Closeable resource) {
        try {
            resource.close();
        } catch (IOException e) {
            // It is given up in any case.
        }
    }

    /** Closes all links and ends the thread; waits for that at most two seconds. */
    @Override
    public void close() {
        running = false;
        selector.wakeup();
        if (thread.getState() == Thread.State.NEW) {
            servers.forEach(ZmtpReactor::closeQuietly);
            closeQuietly(selector);
            return;
        }
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            log.atWarn().log("the thread that receives did not end in time");
        }
    }
}
