/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.frames;

import io.fpmplanner.service.config.HttpSource;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.FrameIntake;
import io.fpmplanner.service.source.FrameRing;
import io.fpmplanner.service.source.FrameSource;
import io.vertx.ext.web.Router;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Frames that are posted to the REST interface: {@code POST /v1/frames} and {@code POST /v1/pools/{pool}/frames}.
 *
 * <p>A pool takes them only if its sources say so: the interface is open to more people than the engines' network is, and
 * a pool fed by ZeroMQ should not learn from whoever can reach a port.
 */
public final class HttpFrameSource implements FrameSource, RouteInstaller {
    private final HttpSenders senders;
    private final FrameRoutes routes;
    private final int maxFrameBytes;
    private final LongSupplier nanoClock;
    private volatile boolean receiving;

    /** For the pools of a configuration that have {@code http} among their sources. */
    public HttpFrameSource(ServiceConfig config, LongSupplier nanoClock) {
        this.maxFrameBytes = config.zeromq().maxFrameBytes();
        this.nanoClock = nanoClock;
        this.senders = new HttpSenders(nanoClock);
        this.routes = new FrameRoutes(
                config.pools().stream()
                        .map(pool -> new FrameRoutes.Target(pool.settings().id(), takesFrames(pool)))
                        .toList(),
                senders,
                new FrameBatch(maxFrameBytes),
                Math.max(FrameRoutes.LEAST_BODY_BYTES, config.http().maxBodyBytes()));
    }

    /** Routes that say why nothing is taken, for a configuration in which no pool has {@code http} among its sources. */
    public static RouteInstaller closed(ServiceConfig config) {
        return new HttpFrameSource(config, () -> 0);
    }

    private static boolean takesFrames(PoolConfig pool) {
        return pool.sources().stream().anyMatch(HttpSource.class::isInstance);
    }

    @Override
    public String name() {
        return "http";
    }

    @Override
    public void install(Router router) {
        routes.install(router);
    }

    @Override
    public void start(FrameRing ring, Runnable wake) {
        if (receiving) {
            throw new IllegalStateException("already started");
        }
        receiving = true;
        routes.open(ring, new FrameIntake(ring, wake, maxFrameBytes, nanoClock));
    }

    @Override
    public List<EndpointStatus> endpoints() {
        return senders.status();
    }

    @Override
    public boolean isReceiving() {
        return receiving;
    }

    @Override
    public void close() {
        receiving = false;
        routes.shut();
    }
}
