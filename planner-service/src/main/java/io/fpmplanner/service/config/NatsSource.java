/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Set;
import java.util.stream.Collectors;

/**
 * Dynamo's event plane over NATS core: {@code nats://HOST:PORT/SUBJECT}, of which the events that carry frames are taken.
 *
 * @param server where the NATS server listens; one port
 * @param subject what is subscribed to, percent-encoded as Dynamo does it
 * @param tls whether the server is spoken to over TLS only
 */
public record NatsSource(HostPorts server, NatsSubject subject, boolean tls) implements SourceSpec {
    /** A server in the clear. */
    public NatsSource(HostPorts server, NatsSubject subject) {
        this(server, subject, false);
    }

    public NatsSource {
        if (server.ports() != 1) {
            throw new IllegalArgumentException("a NATS server has one port, was " + server);
        }
    }

    /** Reads {@code HOST:PORT/SUBJECT} of a server in the clear. */
    static NatsSource parse(String rest) {
        return parse(rest, SourceScheme.NATS);
    }

    /** Reads {@code HOST:PORT/SUBJECT} of a server with TLS. */
    static NatsSource parseTls(String rest) {
        return parse(rest, SourceScheme.NATS_TLS);
    }

    private static NatsSource parse(String rest, SourceScheme scheme) {
        int slash = rest.indexOf('/');
        if (slash < 0) {
            throw scheme.malformed(rest);
        }
        HostPorts server = HostPorts.parse(rest.substring(0, slash)).orElseThrow(() -> scheme.malformed(rest));
        return new NatsSource(server, new NatsSubject(rest.substring(slash + 1)), scheme == SourceScheme.NATS_TLS);
    }

    @Override
    public int endpoints() {
        return 1;
    }

    @Override
    public Set<String> keys() {
        return server.hostKeys().stream().map(key -> "nats:" + key).collect(Collectors.toSet());
    }

    @Override
    public boolean overlaps(SourceSpec other) {
        return other instanceof NatsSource nats && server.sharesPorts(nats.server) && subject.overlaps(nats.subject);
    }

    @Override
    public String toString() {
        return (tls ? SourceScheme.NATS_TLS : SourceScheme.NATS).prefix() + server + "/" + subject;
    }
}
