/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.ServiceClock;
import io.fpmplanner.service.StartException;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.sim.fleet.Fleet;
import io.fpmplanner.sim.fleet.LiveFleet;
import io.fpmplanner.sim.fleet.ZmqChannels;
import io.vertx.core.http.HttpHeaders;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The running demo: the service, the simulated fleet that publishes to it over ZeroMQ, and the autoscaler between them.
 *
 * <p>Threadsafe.
 */
final class Demo implements AutoCloseable {
    private static final long POLL_MILLIS = 1_000;

    private final long seed;
    private final DemoPorts ports;
    private final PlannerService service;
    private final ZmqChannels channels;
    private final PredictionProbe probe;
    private final LiveFleet fleet;
    private final RecommendationFollower follower;
    private final ScheduledExecutorService autoscaler;
    private final ScheduledFuture<?> polling;
    private final ServiceClock clock = new ServiceClock();
    private final long startNanos;

    private Demo(DemoPorts ports, PlannerService service, long seed) {
        this.seed = seed;
        this.ports = ports;
        this.service = service;
        this.startNanos = clock.getAsLong();
        this.channels = new ZmqChannels(DemoPorts.HOST, ports.firstPorts(), clock);
        PlannerClient planner = new PlannerClient(URI.create(service.url() + "/"));
        this.probe = new PredictionProbe(planner);
        this.fleet = new LiveFleet(new Fleet(DemoScenario.fleet(startNanos, seed), channels, probe), clock);
        this.follower = new RecommendationFollower(planner, fleet, probe);
        this.autoscaler = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "demo-autoscaler");
            thread.setDaemon(true);
            return thread;
        });
        this.polling = autoscaler.scheduleWithFixedDelay(
                () -> follower.poll(DemoScenario.POOLS), POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Starts everything.
     *
     * @param httpPort port of the service, 0 for any
     * @throws StartException when the service cannot listen there
     * @throws IOException when there are no ports for the engines
     */
    static Demo start(int httpPort, long seed) throws StartException, IOException {
        DemoPorts ports = DemoPorts.claim(DemoScenario.POOLS, DemoScenario.SLOTS);
        AtomicReference<Demo> running = new AtomicReference<>();
        try {
            PlannerService service =
                    PlannerService.start(DemoScenario.service(ports, httpPort), List.of(route(running)));
            Demo demo = new Demo(ports, service, seed);
            running.set(demo);
            return demo;
        } catch (StartException e) {
            ports.close();
            throw e;
        }
    }

    private static RouteInstaller route(AtomicReference<Demo> running) {
        return router -> router.get("/v1/demo").handler(context -> {
            Demo demo = running.get();
            if (demo == null) {
                context.response().setStatusCode(503).end();
                return;
            }
            context.response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .end(demo.document().toString());
        });
    }

    /** What the simulated side knows now. */
    ObjectNode document() {
        return DemoJson.document(this, elapsedSeconds());
    }

    /** Time since the load began. */
    double elapsedSeconds() {
        return (clock.getAsLong() - startNanos) * 1e-9;
    }

    /** What broke the simulated side; empty while it runs well. */
    Optional<Throwable> failure() {
        Throwable fleetFailure = fleet.failure();
        if (fleetFailure != null) {
            return Optional.of(fleetFailure);
        }
        if (!polling.isDone() || polling.isCancelled()) {
            return Optional.empty();
        }
        try {
            polling.get();
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.ofNullable(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    String url() {
        return service.url();
    }

    long seed() {
        return seed;
    }

    long framesDropped() {
        return channels.dropped();
    }

    PredictionProbe probe() {
        return probe;
    }

    LiveFleet fleet() {
        return fleet;
    }

    RecommendationFollower follower() {
        return follower;
    }

    @Override
    public void close() {
        autoscaler.shutdownNow();
        fleet.close();
        channels.close();
        service.close();
        try {
            ports.close();
        } catch (IOException e) {
            // The process ends anyway, and with it the guard.
        }
    }
}
