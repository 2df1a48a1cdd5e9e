/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import io.fpmplanner.core.fpm.FpmDecoder;
import java.util.List;

/**
 * How FPM publishers are subscribed to over ZeroMQ.
 *
 * @param transport what receives from {@code tcp://} sources
 * @param receiveHighWaterMark messages that JeroMQ holds per connection while the service is behind; 1 to 1,000,000. A large one buys
 *     stale data, not completeness: what a publisher drops at its own mark is lost before it gets here
 * @param reconnectSeconds first wait before a lost connection is tried again; 0.01 to 60
 * @param reconnectMaxSeconds longest wait, reached by doubling; at least reconnectSeconds, at most 600
 * @param resolveSeconds how often host names are looked up again; 1 to 3600
 * @param maxFrameBytes largest FPM payload; larger ones are rejected and counted; 64 to 64 KiB. A ZeroMQ message part
 *     above four times this closes the connection before it is read, which is then made anew
 * @param allowedAddresses addresses and networks that may connect to bound sockets; empty for all
 */
public record ZeroMqSettings(
        Transport transport,
        int receiveHighWaterMark,
        double reconnectSeconds,
        double reconnectMaxSeconds,
        double resolveSeconds,
        int maxFrameBytes,
        List<Network> allowedAddresses) {
    /** What receives from {@code tcp://} sources; everything else is received by the selector. */
    public enum Transport {
        /** The planner's own ZMTP reader: one thread with one selector for all sources. */
        SELECTOR,
        /** The JeroMQ library. */
        JEROMQ
    }

    public ZeroMqSettings {
        Range.check("receiveHighWaterMark", receiveHighWaterMark, 1, 1_000_000);
        Range.check("reconnectSeconds", reconnectSeconds, 0.01, 60);
        Range.check("reconnectMaxSeconds", reconnectMaxSeconds, reconnectSeconds, 600);
        Range.check("resolveSeconds", resolveSeconds, 1, 3_600);
        Range.check("maxFrameBytes", maxFrameBytes, 64, FpmDecoder.MAX_PAYLOAD_BYTES);
        allowedAddresses = List.copyOf(allowedAddresses);
    }

    /** 1,000 messages, reconnect after 0.1 s to 2 s, names every 10 s, payloads to 64 KiB (real ones have 380 to 470 B). */
    public static ZeroMqSettings defaults() {
        return new ZeroMqSettings(Transport.SELECTOR, 1_000, 0.1, 2, 10, 65_536, List.of());
    }

    /** These settings with another longest wait between connection attempts. */
    public ZeroMqSettings withReconnectMaxSeconds(double seconds) {
        return new ZeroMqSettings(
                transport,
                receiveHighWaterMark,
                Math.min(reconnectSeconds, seconds),
                seconds,
                resolveSeconds,
                maxFrameBytes,
                allowedAddresses);
    }
}
