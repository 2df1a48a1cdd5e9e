/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.record;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.service.recording.FrameLogWriter;
import io.fpmplanner.service.source.FrameTap;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Writes what it is shown until it is full, broken or stopped. Threadsafe: sources have a thread each. */
final class Recorder implements FrameTap, Closeable {
    private final FrameLogWriter writer;
    private final CountDownLatch ended = new CountDownLatch(1);
    private long messages;
    private boolean full;
    private @Nullable IOException failure;

    Recorder(FrameLogWriter writer) {
        this.writer = writer;
    }

    @Override
    public synchronized void message(FpmFrame arrival, byte[] buffer, int offset, int length) {
        if (full || failure != null) {
            return;
        }
        try {
            if (writer.write(arrival, buffer, offset, length)) {
                messages++;
            } else {
                full = true;
                ended.countDown();
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(IOException problem) {
        failure = problem;
        ended.countDown();
    }

    /** Hands everything to the operating system, so that a crash of this process costs no more. */
    synchronized void flush() {
        if (failure == null) {
            try {
                writer.flush();
            } catch (IOException e) {
                fail(e);
            }
        }
    }

    /** Has {@link #awaitEnd} return; any thread. */
    void stop() {
        ended.countDown();
    }

    /** Waits so long; true if it is full, broken or stopped. */
    boolean awaitEnd(long millis) throws InterruptedException {
        return ended.await(millis, TimeUnit.MILLISECONDS);
    }

    synchronized boolean isFull() {
        return full;
    }

    synchronized long messages() {
        return messages;
    }

    synchronized long bytes() {
        return writer.bytes();
    }

    /** Why nothing more can be written. */
    synchronized Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public synchronized void close() throws IOException {
        writer.close();
    }
}
