/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.EventEnvelope;
import io.fpmplanner.core.kv.KvDecoder;
import io.fpmplanner.service.config.DynamoSource;
import io.fpmplanner.service.config.KvBindSource;
import io.fpmplanner.service.config.KvConnectSource;
import io.fpmplanner.service.config.SourceScheme;
import io.fpmplanner.service.config.SourceSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/**
 * How the messages of a configured entry are asked for and read.
 *
 * @param poolIndex the pool, by order of configuration
 * @param spec the entry
 * @param prefix how its endpoints are called, before their address
 * @param suffix and after it
 * @param topics prefixes to subscribe to
 * @param reader makes the reader of one endpoint
 */
record Subscription(
        int poolIndex,
        SourceSpec spec,
        String prefix,
        String suffix,
        List<byte[]> topics,
        Function<FrameIntake, MessageReader> reader) {
    /* Direct publishers put the bare topic first and offer nothing else; brokers offer everything by its full subject. */
    private static final String SUBJECTS = "namespace.";
    private static final List<byte[]> EVERYTHING = List.of(new byte[0]);

    /** To engines and relays, which publish nothing but frames. */
    static Subscription engine(PoolSource<?> source, SourceScheme scheme) {
        return new Subscription(source.poolIndex(), source.spec(), scheme.prefix(), "", EVERYTHING, EngineReader::new);
    }

    /** To publishers or a broker of an event plane. */
    static Subscription eventPlane(PoolSource<DynamoSource> source) {
        DynamoSource spec = source.spec();
        if (!spec.broker()) {
            return new Subscription(
                    source.poolIndex(), spec, SourceScheme.DYNAMO.prefix(), "", EVERYTHING, EventPlaneReader::new);
        }
        List<byte[]> topics = spec.subject().isEmpty()
                ? List.of(bytes(EventEnvelope.FORWARD_PASS_TOPIC), bytes(SUBJECTS))
                : List.of(bytes(spec.subject()));
        String suffix = spec.subject().isEmpty() ? "" : "/" + spec.subject();
        return new Subscription(
                source.poolIndex(), spec, SourceScheme.DYNAMO_BROKER.prefix(), suffix, topics, EventPlaneReader::new);
    }

    /** To publishers of SGLang's LoadStat; the distance of a port from the entry's first is the rank. */
    static Subscription loadStat(PoolSource<KvConnectSource> source) {
        int firstPort = source.spec().target().firstPort();
        return new Subscription(
                source.poolIndex(),
                source.spec(),
                SourceScheme.TCP.prefix(),
                "",
                List.of(bytes(KvDecoder.LOAD_TOPIC)),
                intake -> KvReader.published(intake, firstPort));
    }

    /** For peers that push SGLang's KvMetrics. */
    static Subscription pushedKv(PoolSource<KvBindSource> source) {
        return new Subscription(
                source.poolIndex(), source.spec(), SourceScheme.TCP.prefix(), "", List.of(), KvReader::pushed);
    }

    /** The name of the endpoint at an address. */
    String endpoint(String address) {
        return prefix + address + suffix;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
