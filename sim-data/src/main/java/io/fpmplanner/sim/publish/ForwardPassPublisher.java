/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

import java.net.BindException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.zeromq.ZContext;
import org.zeromq.ZMQException;

/**
 * Publishes the steps of one rank on a ZeroMQ PUB socket the way vLLM and SGLang do, over TCP or a Unix socket.
 *
 * <p>Messages are {@code ["", sequence as u64 big-endian, msgpack payload]}; the sequence starts at 0, is stamped at send and
 * equals {@code counter_id}. After each heartbeat interval of silence an all-zero record follows. A record offered to a
 * full queue is dropped and counted, before it gets a number, so subscribers see no gap.
 *
 * <p>{@link #publish} may be called from any thread. The socket belongs to the thread {@code fpm-publisher}, a daemon.
 */
public final class ForwardPassPublisher implements AutoCloseable {
    /*
     * Semantics: SGLang PR 22789 and Dynamo's InstrumentedScheduler, both with queue.Queue(10_000), put_nowait, a thread
     * that waits for the heartbeat interval, and close(linger=0) after at most a second of joining.
     */
    private static final long JOIN_MILLIS = 1_000;
    /** Longest wait between two looks at the clock, so that an injected clock is noticed too. */
    private static final long LONGEST_WAIT_NANOS = 100_000_000;

    private static final ForwardPassMetrics CLOSE = ForwardPassMetrics.heartbeat("", 0);

    private final PublisherSettings settings;
    private final LongSupplier nanoClock;
    private final BlockingQueue<ForwardPassMetrics> queue;
    private final ForwardPassEncoder encoder;
    private final @Nullable ZContext ownContext;
    private final Publication publication;
    private final String endpoint;
    private final Thread thread;
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong heartbeats = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private volatile boolean running = true;

    /**
     * Binds and starts the publisher thread with a ZeroMQ context of its own.
     *
     * @param nanoClock a clock that never goes back, nanoseconds; times the heartbeats
     * @throws BindException when the port is taken or the interface unknown; the message names the address
     */
    public static ForwardPassPublisher bind(PublisherSettings settings, LongSupplier nanoClock) throws BindException {
        ZContext context = new ZContext();
        try {
            return new ForwardPassPublisher(settings, nanoClock, context, true);
        } catch (BindException e) {
            context.close();
            throw e;
        }
    }

    /** As {@link #bind(PublisherSettings, LongSupplier)} within a shared context, which must outlive the publisher. */
    public static ForwardPassPublisher bind(PublisherSettings settings, LongSupplier nanoClock, ZContext context)
            throws BindException {
        return new ForwardPassPublisher(settings, nanoClock, context, false);
    }

    private ForwardPassPublisher(
            PublisherSettings settings, LongSupplier nanoClock, ZContext context, boolean ownsContext)
            throws BindException {
        this.settings = settings;
        this.nanoClock = nanoClock;
        this.queue = new ArrayBlockingQueue<>(settings.queueCapacity());
        this.encoder = new ForwardPassEncoder(settings.dialect());
        this.ownContext = ownsContext ? context : null;
        this.publication = settings.address() instanceof PublisherAddress.Ipc
                ? new IpcPublication(settings.bindAddress())
                : new ZeroMqPublication(settings.bindAddress(), context);
        this.endpoint = publication.endpoint();
        this.thread = new Thread(this::run, "fpm-publisher-" + endpoint);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Hands a record to the publisher thread; never blocks.
     *
     * @return false if the queue was full or the publisher closed, and the record dropped
     */
    public boolean publish(ForwardPassMetrics metrics) {
        if (running && queue.offer(metrics)) {
            return true;
        }
        dropped.incrementAndGet();
        return false;
    }

    /** The bound address, e.g. {@code tcp://127.0.0.1:20380}, with port 0 the port the system chose, or {@code ipc:///run/fpm.0}. */
    public String endpoint() {
        return endpoint;
    }

    /** Port of {@link #endpoint()}, which must be TCP. */
    public int port() {
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    /** Records sent so far, heartbeats left out. */
    public long published() {
        return published.get();
    }

    /** Heartbeats sent so far. */
    public long heartbeats() {
        return heartbeats.get();
    }

    /** Records dropped because the queue was full or the publisher closed. */
    public long dropped() {
        return dropped.get();
    }

    /** Sends what is queued, then closes the socket at once: what the network has not taken by then is lost. */
    @Override
    public void close() {
        running = false;
        queue.offer(CLOSE); // A full queue keeps the thread awake, which then sees the flag.
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (ownContext != null) {
            ownContext.close();
        }
    }

    @SuppressWarnings("ReferenceEquality") // CLOSE is a marker: an equal record from an engine is not one.
    private void run() {
        long sequence = 0;
        long intervalNanos = (long) (settings.heartbeatSeconds() * 1e9);
        long lastSentNanos = nanoClock.getAsLong();
        try {
            while (running || !queue.isEmpty()) {
                ForwardPassMetrics next = take(lastSentNanos + intervalNanos - nanoClock.getAsLong());
                if (next == CLOSE) {
                    return;
                }
                long nowNanos = nanoClock.getAsLong();
                if (next != null) {
                    send(sequence++, next);
                    published.incrementAndGet();
                    lastSentNanos = nowNanos;
                } else if (nowNanos - lastSentNanos >= intervalNanos) {
                    send(sequence++, ForwardPassMetrics.heartbeat(settings.workerId(), settings.dpRank()));
                    heartbeats.incrementAndGet();
                    lastSentNanos = nowNanos;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ZMQException e) {
            // The context was closed under us: nothing is left to publish to.
        } finally {
            running = false;
            publication.close();
        }
    }

    private @Nullable ForwardPassMetrics take(long untilHeartbeatNanos) throws InterruptedException {
        long wait = Math.max(0, Math.min(untilHeartbeatNanos, LONGEST_WAIT_NANOS));
        return queue.poll(wait, TimeUnit.NANOSECONDS);
    }

    private void send(long sequence, ForwardPassMetrics metrics) {
        publication.send(
                ByteBuffer.allocate(Long.BYTES).putLong(sequence).array(),
                encoder.encode(metrics.withCounterId(sequence)));
    }
}
