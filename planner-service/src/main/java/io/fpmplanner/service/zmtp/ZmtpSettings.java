/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

/**
 * Times and limits of all links of a reactor.
 *
 * @param limits what a peer may send
 * @param reconnectSeconds first wait before a lost link is tried again; it doubles with each failure
 * @param reconnectMaxSeconds longest such wait
 * @param incompatibleSeconds wait after a peer that is none for us
 * @param handshakeSeconds time from the connection to the end of the handshake
 * @param heartbeatSeconds silence after which a peer is asked whether it is there, and then again until it has answered
 */
public record ZmtpSettings(
        ZmtpLimits limits,
        double reconnectSeconds,
        double reconnectMaxSeconds,
        double incompatibleSeconds,
        double handshakeSeconds,
        double heartbeatSeconds) {
    /** The usual waits for peers that are none and for answers, with these limits and reconnect times. */
    public static ZmtpSettings of(ZmtpLimits limits, double reconnectSeconds, double reconnectMaxSeconds) {
        return new ZmtpSettings(limits, reconnectSeconds, reconnectMaxSeconds, 10, 5, 5);
    }
}
