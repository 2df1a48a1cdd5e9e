/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.kv;

import io.fpmplanner.service.config.HostPorts;
import io.fpmplanner.service.config.KvBindSource;
import io.fpmplanner.service.config.KvConnectSource;
import io.fpmplanner.service.config.ZeroMqSettings;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.FrameIntake;
import io.fpmplanner.service.source.FrameRing;
import io.fpmplanner.service.source.FrameSource;
import io.fpmplanner.service.source.HostResolver;
import io.fpmplanner.service.source.PoolSource;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes SGLang's LoadStat from its publishers, and KvMetrics from schedulers that push it to us.
 *
 * <p>About one message a second and rank, so one thread and JeroMQ do for all. A peer is told by its address; pickles are
 * read by the allow-list of {@link io.fpmplanner.core.kv.KvDecoder} and never run.
 */
public final class KvSource implements FrameSource {
    private static final Logger log = LoggerFactory.getLogger(KvSource.class);
    private static final long JOIN_MILLIS = 2_000;

    private final ZeroMqSettings settings;
    private final LongSupplier nanoClock;
    private final List<PoolSource<KvConnectSource>> connects;
    private final KvReceiver receiver;
    private final HostResolver resolver;

    @Nullable
    private volatile Thread thread;

    /**
     * Prepares the source; nothing is opened before {@link #start}.
     *
     * @param connects LoadStat publishers to connect to
     * @param binds addresses to bind for KvMetrics
     * @param nanoClock stamps arrivals: nanoseconds since the Unix epoch that never go back
     */
    public KvSource(
            ZeroMqSettings settings,
            List<PoolSource<KvConnectSource>> connects,
            List<PoolSource<KvBindSource>> binds,
            LongSupplier nanoClock) {
        this.settings = settings;
        this.nanoClock = nanoClock;
        this.connects = connects;
        this.receiver = new KvReceiver(settings, binds, nanoClock);
        Set<String> names = connects.stream()
                .map(source -> source.spec().target().host())
                .filter(host -> !HostResolver.isLiteral(host))
                .collect(Collectors.toSet());
        this.resolver = new HostResolver(names, settings.resolveSeconds(), new Names(), HostResolver.Lookup.system());
    }

    @Override
    public String name() {
        return "kv";
    }

    @Override
    public synchronized void start(FrameRing ring, Runnable wake) {
        if (thread != null) {
            throw new IllegalStateException("already started");
        }
        connects.stream()
                .map(source -> source.spec().target().host())
                .filter(HostResolver::isLiteral)
                .distinct()
                .forEach(this::useLiteral);
        FrameIntake intake = new FrameIntake(ring, wake, settings.maxFrameBytes(), nanoClock);
        Thread created = new Thread(() -> receiver.run(intake), "planner-kv");
        created.setDaemon(true);
        created.start();
        thread = created;
        resolver.start();
    }

    private void useLiteral(String host) {
        try {
            // No lookup: the text is an address, or is refused at once.
            resolved(host, List.of(InetAddress.getByName(host)));
        } catch (UnknownHostException e) {
            log.atWarn().addKeyValue("host", host).log("not an address");
        }
    }

    private void resolved(String host, List<InetAddress> addresses) {
        for (PoolSource<KvConnectSource> source : connects) {
            HostPorts target = source.spec().target();
            if (target.host().equals(host)) {
                for (InetAddress address : addresses) {
                    for (int port = target.firstPort(); port <= target.lastPort(); port++) {
                        receiver.connect(new KvPeer(source, address, port));
                    }
                }
            }
        }
    }

    private final class Names implements HostResolver.Listener {
        @Override
        public void resolved(String host, List<InetAddress> addresses) {
            KvSource.this.resolved(host, addresses);
        }

        @Override
        public void unresolvable(String host, String why) {
            log.atDebug().addKeyValue("host", host).addKeyValue("why", why).log("host name does not resolve");
        }
    }

    @Override
    public List<EndpointStatus> endpoints() {
        return receiver.endpoints();
    }

    @Override
    public boolean isReceiving() {
        Thread running = thread;
        return running != null && running.isAlive();
    }

    @Override
    public synchronized void close() {
        resolver.stop();
        receiver.stop();
        Thread running = thread;
        if (running == null) {
            return;
        }
        try {
            running.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
