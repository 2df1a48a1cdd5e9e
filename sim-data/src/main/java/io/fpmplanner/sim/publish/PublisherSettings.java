/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

/**
 * Where and as whom a rank publishes. Immutable.
 *
 * @param address where the engine's ranks publish
 * @param workerId worker id of heartbeats
 * @param dpRank data-parallel rank, &ge; 0
 * @param queueCapacity records held between engine and publisher thread; more are dropped. &ge; 1
 * @param heartbeatSeconds silence after which a heartbeat is sent; &gt; 0
 * @param dialect wire form
 */
public record PublisherSettings(
        PublisherAddress address,
        String workerId,
        int dpRank,
        int queueCapacity,
        double heartbeatSeconds,
        WireDialect dialect) {
    private static final int ENGINES_QUEUE = 10_000;

    public PublisherSettings {
        if (dpRank < 0) {
            throw new IllegalArgumentException("dpRank must be at least 0, was " + dpRank);
        }
        address.bindAddress(dpRank);
        if (queueCapacity < 1) {
            throw new IllegalArgumentException("queueCapacity must be at least 1, was " + queueCapacity);
        }
        if (!(heartbeatSeconds > 0) || Double.isInfinite(heartbeatSeconds)) {
            throw new IllegalArgumentException("heartbeatSeconds must be positive, was " + heartbeatSeconds);
        }
    }

    /** All interfaces, 10,000 records, a heartbeat each second, newest dialect: what vLLM does. */
    public static PublisherSettings of(int basePort, String workerId, int dpRank) {
        return at(new PublisherAddress.Tcp("*", basePort), workerId, dpRank);
    }

    /** The same on a Unix socket {@code PATH.RANK}: what SGLang does. */
    public static PublisherSettings ofIpc(String path, String workerId, int dpRank) {
        return at(new PublisherAddress.Ipc(path), workerId, dpRank);
    }

    private static PublisherSettings at(PublisherAddress address, String workerId, int dpRank) {
        return new PublisherSettings(address, workerId, dpRank, ENGINES_QUEUE, 1.0, WireDialect.V1);
    }

    /** The same on one interface only; of no effect on a Unix socket. */
    public PublisherSettings onHost(String newHost) {
        return address instanceof PublisherAddress.Tcp tcp
                ? new PublisherSettings(
                        new PublisherAddress.Tcp(newHost, tcp.basePort()),
                        workerId,
                        dpRank,
                        queueCapacity,
                        heartbeatSeconds,
                        dialect)
                : this;
    }

    String bindAddress() {
        return address.bindAddress(dpRank);
    }
}
