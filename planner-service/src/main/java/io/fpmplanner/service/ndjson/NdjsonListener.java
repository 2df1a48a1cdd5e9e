/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.ndjson;

import io.fpmplanner.service.source.EndpointLedger;
import io.fpmplanner.service.source.EndpointState;
import io.fpmplanner.service.source.EndpointStatus;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One socket that is listened on, bound again when its file is gone or was in the way. For the source's thread alone, but
 * for {@link #status()}.
 */
final class NdjsonListener {
    /** Writers on one socket; a further one is closed at once. */
    static final int MOST_WRITERS = 256;

    private static final long RETRY_NANOS = 2_000_000_000L;

    private final Path path;
    private final EndpointLedger ledger;
    private @Nullable ServerSocketChannel channel;
    /** Identity of our own socket file: another one under the same name is not ours to delete. */
    private @Nullable Object fileKey;

    private boolean tried;
    private long triedNanos;
    private int writers;

    NdjsonListener(Path path, int poolIndex, String source) {
        this.path = path;
        this.ledger = new EndpointLedger(poolIndex, source, source, EndpointState.CONNECTING);
    }

    EndpointStatus status() {
        return ledger.status();
    }

    EndpointLedger ledger() {
        return ledger;
    }

    /** Binds if that is needed and due. */
    void mend(Selector selector, long nowNanos) {
        if (tried && nowNanos - triedNanos < RETRY_NANOS) {
            return;
        }
        tried = true;
        triedNanos = nowNanos;
        if (channel != null && isOurs()) {
            return;
        }
        stopListening();
        try {
            bind(selector);
            ledger.enter(EndpointState.CONNECTED, "", nowNanos);
        } catch (IOException | UnsupportedOperationException e) {
            stopListening();
            ledger.enter(EndpointState.CONNECTING, explain(e), nowNanos);
        }
    }

    private String explain(Exception problem) {
        Path folder = path.getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            return "there is no directory " + folder;
        }
        return problem.getMessage() == null ? problem.toString() : problem.getMessage();
    }

    private void bind(Selector selector) throws IOException {
        removeStale();
        ServerSocketChannel opened = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        channel = opened;
        opened.bind(UnixDomainSocketAddress.of(path));
        // Whoever may write here feeds the planner: owner and group, whatever the umask.
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw----"));
        fileKey = fileKey();
        opened.configureBlocking(false);
        opened.register(selector, SelectionKey.OP_ACCEPT, this);
    }

    /** A socket file stays behind when its process dies; one that is answered, or that is no socket, is not ours to take. */
    private void removeStale() throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isOther()) {
            throw new IOException("a file that is no socket is in the way");
        }
        try (SocketChannel probe = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            throw new IOException(
                    probe.isConnected() ? "another process listens there" : "another process has the name");
        } catch (java.net.SocketException refused) {
            Files.deleteIfExists(path);
        }
    }

    private boolean isOurs() {
        try {
            return Objects.equals(fileKey, fileKey());
        } catch (IOException e) {
            return false;
        }
    }

    private @Nullable Object fileKey() throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** Takes the writers that wait. */
    void accept(Selector selector, long nowNanos) {
        ServerSocketChannel open = channel;
        if (open == null) {
            return;
        }
        try {
            for (SocketChannel next = open.accept(); next != null; next = open.accept()) {
                if (writers >= MOST_WRITERS) {
                    next.close();
                    ledger.countProtocolError("more than " + MOST_WRITERS + " writers", nowNanos);
                    continue;
                }
                next.configureBlocking(false);
                writers++;
                next.register(selector, SelectionKey.OP_READ, new NdjsonWriter(this));
            }
        } catch (IOException e) {
            ledger.countProtocolError("a writer could not be accepted: " + e.getMessage(), nowNanos);
        }
    }

    void writerGone() {
        writers--;
    }

    /** Stops listening and takes the file away. Writers that are connected go on. */
    void close() {
        boolean ours = channel != null && isOurs();
        stopListening();
        if (ours) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                // It is stale then, and removed at the next start.
            }
        }
    }

    private void stopListening() {
        ServerSocketChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // Nothing is lost with it.
            }
        }
    }
}
