/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks host names up again and again on a thread of its own, since a lookup can block for many seconds. Address literals
 * never need it.
 */
public final class HostResolver {
    private static final Logger log = LoggerFactory.getLogger(HostResolver.class);
    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|.*:.*");

    private final Set<String> hosts;
    private final long intervalNanos;
    private final Listener listener;
    private final Lookup lookup;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

    /** Called on the resolver's thread. */
    public interface Listener {
        void resolved(String host, List<InetAddress> addresses);

        void unresolvable(String host, String why);
    }

    /** The system's resolver, or one in its place. */
    @FunctionalInterface
    public interface Lookup {
        List<InetAddress> all(String host) throws UnknownHostException;

        /** What the operating system says. */
        static Lookup system() {
            return host -> List.of(InetAddress.getAllByName(host));
        }
    }

    /** A resolver of the given names; nothing is looked up before {@link #start}. */
    public HostResolver(Set<String> hosts, double intervalSeconds, Listener listener, Lookup lookup) {
        this.hosts = Set.copyOf(hosts);
        this.intervalNanos = (long) (intervalSeconds * 1e9);
        this.listener = listener;
        this.lookup = lookup;
        this.thread = new Thread(this::run, "planner-resolver");
        thread.setDaemon(true);
    }

    /** Whether the text is an address rather than a name. */
    public static boolean isLiteral(String host) {
        return LITERAL.matcher(host).matches();
    }

    /** Begins to look the names up, if there are any. */
    public void start() {
        if (!hosts.isEmpty()) {
            thread.start();
        }
    }

    /** Ends the thread soon; a lookup in progress is not waited for. */
    public void stop() {
        stop.countDown();
    }

    private void run() {
        try {
            do {
                for (String host : hosts) {
                    if (stop.getCount() > 0) {
                        resolve(host);
                    }
                }
            } while (!stop.await(intervalNanos, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void resolve(String host) {
        try {
            listener.resolved(host, lookup.all(host));
        } catch (UnknownHostException e) {
            listener.unresolvable(host, "no address found");
        } catch (RuntimeException e) {
            log.atWarn().addKeyValue("host", host).setCause(e).log("host lookup failed");
        }
    }
}
