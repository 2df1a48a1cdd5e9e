/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import java.util.Arrays;
import java.util.List;

/** Feeds bytes of any kind to the ZMTP reader, as a peer would. */
public final class ZmtpFuzz {
    private static final int MOST_LEFT = SessionFeed.LIMITS.messageBytes() + 2 * 4_096;

    private ZmtpFuzz() {}

    /** What a well-behaved publisher sends. */
    public static List<byte[]> seeds() {
        byte[] handshake = Wire.join(Wire.greeting(3, 1, "NULL"), Wire.ready("PUB"));
        return List.of(
                handshake,
                Wire.join(handshake, Wire.message(new byte[0], new byte[8], new byte[90])),
                Wire.join(handshake, Wire.command("PING", new byte[] {0, 1, 7}), Wire.longFrame(0, new byte[300])));
    }

    /** One stream, in pieces of 64 bytes. */
    public static void feed(byte[] stream) {
        SessionFeed fed = new SessionFeed(SocketKind.SUB, List.of(new byte[0]));
        for (int at = 0; at < stream.length; at += 64) {
            fed.give(Arrays.copyOfRange(stream, at, Math.min(stream.length, at + 64)));
        }
        if (fed.mostLeft() > MOST_LEFT) {
            throw new AssertionError(fed.mostLeft() + " bytes hoarded");
        }
    }
}
