/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.ndjson;

import io.fpmplanner.service.config.NdjsonSource;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.FrameIntake;
import io.fpmplanner.service.source.FrameRing;
import io.fpmplanner.service.source.FrameSource;
import io.fpmplanner.service.source.PoolSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on Unix-domain sockets for writers of NDJSON, one frame a line, as Dynamo's {@code
 * common.export_forward_pass_metrics} exports them.
 *
 * <p>A socket takes several writers. Frames of different publishers never merge; bare frames without a publisher are told
 * apart by worker id alone, for writers on a Unix socket have no address. A line that is no frame is counted and loses
 * nothing else.
 */
public final class NdjsonFrameSource implements FrameSource {
    private static final Logger log = LoggerFactory.getLogger(NdjsonFrameSource.class);
    private static final long TURN_MILLIS = 500;
    private static final long JOIN_MILLIS = 2_000;

    private final List<NdjsonListener> listeners;
    private final int maxFrameBytes;
    private final LongSupplier nanoClock;
    private @Nullable volatile Selector selector;
    private @Nullable volatile Thread thread;
    private volatile boolean running;

    /**
     * Prepares the source; nothing is bound before {@link #start}.
     *
     * @param maxFrameBytes largest frame, as msgpack
     * @param entries the sockets and their pools
     * @param nanoClock stamps arrivals: nanoseconds since the Unix epoch that never go back
     */
    public NdjsonFrameSource(int maxFrameBytes, List<PoolSource<NdjsonSource>> entries, LongSupplier nanoClock) {
        this.maxFrameBytes = maxFrameBytes;
        this.nanoClock = nanoClock;
        this.listeners = entries.stream()
                .map(entry -> new NdjsonListener(
                        entry.spec().path(), entry.poolIndex(), entry.spec().toString()))
                .toList();
    }

    @Override
    public String name() {
        return "ndjson";
    }

    @Override
    public synchronized void start(FrameRing ring, Runnable wake) {
        if (thread != null) {
            throw new IllegalStateException("already started");
        }
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        running = true;
        FrameIntake intake = new FrameIntake(ring, wake, maxFrameBytes, nanoClock);
        Thread created = new Thread(() -> run(intake), "planner-ndjson");
        created.setDaemon(true);
        created.start();
        thread = created;
    }

    private void run(FrameIntake intake) {
        Selector open = selector;
        if (open == null) {
            return;
        }
        try {
            while (running) {
                long nowNanos = nanoClock.getAsLong();
                listeners.forEach(listener -> listener.mend(open, nowNanos));
                open.select(key -> serve(key, intake), TURN_MILLIS);
                intake.flush();
            }
        } catch (IOException e) {
            log.atError().setCause(e).log("the NDJSON thread failed");
        } finally {
            listeners.forEach(NdjsonListener::close);
            shut(open);
        }
    }

    private static void shut(Selector open) {
        try {
            for (SelectionKey key : open.keys()) {
                key.channel().close();
            }
            open.close();
        } catch (IOException e) {
            log.atDebug().setCause(e).log("closing the NDJSON selector");
        }
    }

    private void serve(SelectionKey key, FrameIntake intake) {
        try {
            serveOne(key, intake);
        } catch (RuntimeException e) {
            // Whatever one writer does, the others must still be read.
            log.atError().setCause(e).log("a writer of NDJSON is given up");
            key.cancel();
        }
    }

    private void serveOne(SelectionKey key, FrameIntake intake) {
        if (key.attachment() instanceof NdjsonListener listener) {
            listener.accept(key.selector(), nanoClock.getAsLong());
        } else if (key.attachment() instanceof NdjsonWriter writer) {
            writer.read(key, intake);
        }
    }

    @Override
    public List<EndpointStatus> endpoints() {
        return listeners.stream().map(NdjsonListener::status).toList();
    }

    @Override
    public boolean isReceiving() {
        Thread started = thread;
        return started != null && started.isAlive();
    }

    @Override
    public synchronized void close() {
        running = false;
        Selector open = selector;
        Thread started = thread;
        if (open == null || started == null) {
            return;
        }
        open.wakeup();
        try {
            started.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
