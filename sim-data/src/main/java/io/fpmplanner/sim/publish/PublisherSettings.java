/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

/**
 * Where and as whom a rank publishes. Immutable.
 *
 * @param host interface to bind, {@code *} for all
 * @param basePort first port of the engine; the rank binds {@code basePort + dpRank}. 0 lets the system choose
 * @param workerId worker id of heartbeats
 * @param dpRank data-parallel rank, &ge; 0
 * @param queueCapacity records held between engine and publisher thread; more are dropped. &ge; 1
 * @param heartbeatSeconds silence after which a heartbeat is sent; &gt; 0
 * @param dialect wire form
 */
public record PublisherSettings(
        String host,
        int basePort,
        String workerId,
        int dpRank,
        int queueCapacity,
        double heartbeatSeconds,
        WireDialect dialect) {
    private static final int HIGHEST_PORT = 65_535;

    public PublisherSettings {
        if (dpRank < 0) {
            throw new IllegalArgumentException("dpRank must be at least 0, was " + dpRank);
        }
        if (basePort < 0 || basePort + dpRank > HIGHEST_PORT) {
            throw new IllegalArgumentException(
                    "basePort + dpRank must lie between 0 and " + HIGHEST_PORT + ", was " + basePort + " + " + dpRank);
        }
        if (queueCapacity < 1) {
            throw new IllegalArgumentException("queueCapacity must be at least 1, was " + queueCapacity);
        }
        if (!(heartbeatSeconds > 0) || Double.isInfinite(heartbeatSeconds)) {
            throw new IllegalArgumentException("heartbeatSeconds must be positive, was " + heartbeatSeconds);
        }
    }

    /** All interfaces, 10,000 records, a heartbeat each second, newest dialect: what vLLM and SGLang do. */
    public static PublisherSettings of(int basePort, String workerId, int dpRank) {
        return new PublisherSettings("*", basePort, workerId, dpRank, 10_000, 1.0, WireDialect.V1);
    }

    /** The same on one interface only. */
    public PublisherSettings onHost(String newHost) {
        return new PublisherSettings(newHost, basePort, workerId, dpRank, queueCapacity, heartbeatSeconds, dialect);
    }

    String bindAddress() {
        return "tcp://" + host + ":" + (basePort == 0 ? "*" : Integer.toString(basePort + dpRank));
    }
}
