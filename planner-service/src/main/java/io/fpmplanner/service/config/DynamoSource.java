/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Set;

/**
 * Dynamo's event plane over ZeroMQ: the publishers themselves, {@code dynamo+tcp://HOST:PORT[-LAST]}, or the XPUB side of
 * a broker, {@code dynamo-broker+tcp://HOST:PORT[/SUBJECT]}.
 *
 * @param target host and ports to connect to
 * @param broker whether a broker stands there
 * @param subject of a broker only: how the subjects begin that are asked for; empty for all
 */
public record DynamoSource(HostPorts target, boolean broker, String subject) implements SourceSpec {
    static DynamoSource direct(String rest) {
        return new DynamoSource(
                HostPorts.parse(rest).orElseThrow(() -> SourceScheme.DYNAMO.malformed(rest)), false, "");
    }

    static DynamoSource broker(String rest) {
        int slash = rest.indexOf('/');
        String place = slash < 0 ? rest : rest.substring(0, slash);
        String subject = slash < 0 ? "" : rest.substring(slash + 1);
        if (subject.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw SourceScheme.DYNAMO_BROKER.malformed(rest);
        }
        HostPorts target = HostPorts.parse(place).orElseThrow(() -> SourceScheme.DYNAMO_BROKER.malformed(rest));
        return new DynamoSource(target, true, subject);
    }

    @Override
    public int endpoints() {
        return target.ports();
    }

    @Override
    public Set<String> keys() {
        return target.hostKeys();
    }

    /** A broker may serve several pools, each with subjects of its own. */
    @Override
    public boolean overlaps(SourceSpec other) {
        if (other instanceof TcpSource tcp) {
            return target.sharesPorts(tcp.target());
        }
        return other instanceof DynamoSource dynamo
                && target.sharesPorts(dynamo.target)
                && (subject.startsWith(dynamo.subject) || dynamo.subject.startsWith(subject));
    }

    @Override
    public String toString() {
        SourceScheme scheme = broker ? SourceScheme.DYNAMO_BROKER : SourceScheme.DYNAMO;
        return scheme.prefix() + target + (subject.isEmpty() ? "" : "/" + subject);
    }
}
