/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.service.config.HttpSource;
import io.fpmplanner.service.config.NatsSource;
import io.fpmplanner.service.config.NdjsonSource;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.config.SourceSpec;
import io.fpmplanner.service.config.TcpSource;
import io.fpmplanner.service.config.ZeroMqSettings.Transport;
import io.fpmplanner.service.frames.HttpFrameSource;
import io.fpmplanner.service.nats.NatsFrameSource;
import io.fpmplanner.service.ndjson.NdjsonFrameSource;
import io.fpmplanner.service.source.FrameSource;
import io.fpmplanner.service.source.HostResolver;
import io.fpmplanner.service.source.PoolSource;
import io.fpmplanner.service.source.ZmqFrameSource;
import io.fpmplanner.service.source.ZmtpFrameSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Makes the sources that a configuration asks for: one per kind, which serves the entries of its kind in all pools. A
 * source that is also a {@link io.fpmplanner.service.http.RouteInstaller} gets its routes installed.
 */
public final class ConfiguredSources {
    private final ServiceConfig config;
    private final List<FrameSource> sources = new ArrayList<>();

    private ConfiguredSources(ServiceConfig config) {
        this.config = config;
    }

    /** The sources of a configuration, none of them started. */
    public static List<FrameSource> of(ServiceConfig config, LongSupplier nanoClock) {
        return of(config, nanoClock, HostResolver.Lookup.system());
    }

    /** The same with another name server for what ZeroMQ connects to. */
    static List<FrameSource> of(ServiceConfig config, LongSupplier nanoClock, HostResolver.Lookup lookup) {
        ConfiguredSources made = new ConfiguredSources(config);
        if (ZmtpFrameSource.serves(config.zeromq(), config.pools())) {
            made.sources.add(new ZmtpFrameSource(config.zeromq(), config.pools(), nanoClock, lookup));
        }
        if (config.zeromq().transport() == Transport.JEROMQ) {
            made.add(TcpSource.class, entries -> new ZmqFrameSource(config.zeromq(), entries, nanoClock));
        }
        made.add(HttpSource.class, entries -> new HttpFrameSource(config, nanoClock));
        made.add(
                NdjsonSource.class,
                entries -> new NdjsonFrameSource(config.zeromq().maxFrameBytes(), entries, nanoClock));
        made.add(
                NatsSource.class,
                entries -> new NatsFrameSource(config.zeromq().maxFrameBytes(), entries, nanoClock, System.getenv()));
        return List.copyOf(made.sources);
    }

    private <S extends SourceSpec> void add(Class<S> kind, Function<List<PoolSource<S>>, FrameSource> constructor) {
        List<PoolSource<S>> entries = PoolSource.of(config.pools(), kind);
        if (!entries.isEmpty()) {
            sources.add(constructor.apply(entries));
        }
    }
}
