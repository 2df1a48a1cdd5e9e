/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.nats;

import io.fpmplanner.service.config.NatsSource;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.FrameIntake;
import io.fpmplanner.service.source.FrameRing;
import io.fpmplanner.service.source.FrameSource;
import io.fpmplanner.service.source.PoolSource;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Frames from Dynamo's event plane over NATS core subjects, of components ({@code
 * namespace.NS.component.C.forward-pass-metrics}) and of endpoints ({@code
 * namespace.NS.component.C.endpoint.E.forward-pass-metrics}), or of many by wildcards.
 *
 * <p>Events of other topics that the subject lets through are counted as ignored. The publisher of an event is part of its
 * rank's identity; it is not the worker.
 */
public final class NatsFrameSource implements FrameSource {
    private final List<NatsSubscriber> subscribers;
    private final int maxFrameBytes;
    private final LongSupplier nanoClock;
    private final Map<String, String> environment;
    private volatile boolean receiving;

    /**
     * Prepares the source; nothing is connected before {@link #start}.
     *
     * @param maxFrameBytes largest payload of an event that is decoded
     * @param entries servers and subjects, and their pools
     * @param nanoClock stamps arrivals: nanoseconds since the Unix epoch that never go back
     * @param environment for the credentials, see {@link NatsConnection}
     */
    public NatsFrameSource(
            int maxFrameBytes,
            List<PoolSource<NatsSource>> entries,
            LongSupplier nanoClock,
            Map<String, String> environment) {
        this.maxFrameBytes = maxFrameBytes;
        this.nanoClock = nanoClock;
        this.environment = Map.copyOf(environment);
        this.subscribers = entries.stream()
                .map(entry -> new NatsSubscriber(entry.poolIndex(), entry.spec(), nanoClock))
                .toList();
    }

    @Override
    public String name() {
        return "nats";
    }

    @Override
    public synchronized void start(FrameRing ring, Runnable wake) {
        if (receiving) {
            throw new IllegalStateException("already started");
        }
        receiving = true;
        FrameIntake intake = new FrameIntake(ring, wake, maxFrameBytes, nanoClock);
        subscribers.forEach(subscriber -> subscriber.start(intake, environment));
    }

    @Override
    public List<EndpointStatus> endpoints() {
        return subscribers.stream().map(NatsSubscriber::status).toList();
    }

    @Override
    public boolean isReceiving() {
        return receiving;
    }

    @Override
    public synchronized void close() {
        receiving = false;
        subscribers.forEach(NatsSubscriber::close);
    }
}
