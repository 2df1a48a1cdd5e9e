/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.service.config.IpcSource;
import io.fpmplanner.service.config.SourceScheme;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Socket files that we connect to. A pattern is matched again and again on a thread of its own, since a file system can
 * block.
 */
final class IpcDiscovery implements Discovery {
    private static final Logger log = LoggerFactory.getLogger(IpcDiscovery.class);

    private final List<Entry> entries;
    private final long intervalNanos;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final LongSupplier nanoClock;

    /** A configured entry and how to subscribe there. */
    private record Entry(Subscription subscription, IpcSource spec) {
        boolean isPattern() {
            return IpcSource.isPattern(spec.path());
        }
    }

    /** Looks that often for new files; the clock is that of the endpoints. */
    IpcDiscovery(List<PoolSource<IpcSource>> sources, double intervalSeconds, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.entries = sources.stream()
                .map(source -> new Entry(Subscription.engine(source, SourceScheme.IPC), source.spec()))
                .toList();
        this.intervalNanos = (long) (intervalSeconds * 1e9);
    }

    @Override
    public void start(ZmtpEndpoints endpoints) {
        for (Entry entry : entries) {
            if (!entry.isPattern()) {
                connect(endpoints, entry, Path.of(entry.spec().path()));
            }
        }
        if (!entries.isEmpty()) {
            Thread thread = new Thread(() -> run(endpoints), "planner-socket-files");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run(ZmtpEndpoints endpoints) {
        try {
            do {
                for (Entry entry : entries) {
                    look(endpoints, entry);
                }
            } while (!stop.await(intervalNanos, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(ZmtpEndpoints endpoints, Entry entry) {
        try {
            if (!entry.isPattern()) {
                follow(endpoints, entry, Path.of(entry.spec().path()));
                return;
            }
            Set<String> names = new HashSet<>();
            for (Path file : SocketFiles.matching(entry.spec(), ZmtpEndpoints.MOST)) {
                names.add(connect(endpoints, entry, file));
                follow(endpoints, entry, file);
            }
            endpoints.retain(entry.subscription(), names);
        } catch (RuntimeException e) {
            log.atWarn().addKeyValue("source", entry.spec()).setCause(e).log("looking for socket files failed");
        }
    }

    /* An engine may bind its path anew while one before it lives on and holds the connection to the file that was. */
    private void follow(ZmtpEndpoints endpoints, Entry entry, Path file) {
        String name = entry.subscription().endpoint(file.toString());
        OptionalLong boundNanos = SocketFiles.boundNanos(file);
        OptionalLong connectedNanos = endpoints.connectedNanos(name);
        if (boundNanos.isPresent()
                && connectedNanos.isPresent()
                && connectedNanos.getAsLong() < boundNanos.getAsLong()
                && boundNanos.getAsLong() <= nanoClock.getAsLong()) {
            endpoints.reconnect(name, "another socket was bound to the path");
        }
    }

    private static String connect(ZmtpEndpoints endpoints, Entry entry, Path file) {
        String name = entry.subscription().endpoint(file.toString());
        endpoints.connect(entry.subscription(), name, UnixDomainSocketAddress.of(file));
        return name;
    }

    @Override
    public List<EndpointStatus> status(ZmtpEndpoints endpoints) {
        return entries.stream()
                .filter(Entry::isPattern)
                .filter(entry -> !endpoints.has(entry.subscription()))
                .map(entry -> new EndpointStatus(
                        entry.subscription().poolIndex(),
                        entry.spec().toString(),
                        entry.spec().toString(),
                        EndpointState.UNRESOLVABLE,
                        "no socket file matches",
                        EndpointCounts.NONE))
                .toList();
    }

    @Override
    public void stop() {
        stop.countDown();
    }
}
