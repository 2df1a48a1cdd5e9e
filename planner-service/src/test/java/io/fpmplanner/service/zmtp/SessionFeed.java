/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A session under test, fed as a link feeds it: what it leaves is offered again with more behind it. */
final class SessionFeed implements ZmtpSession.Listener {
    static final ZmtpLimits LIMITS = new ZmtpLimits(500, 1_100, 4);

    private final List<List<String>> messages = new ArrayList<>();
    private final ZmtpSession session;
    private byte[] left = {};
    private int mostLeft;
    private int handshakes;

    SessionFeed(SocketKind kind, List<byte[]> topics) {
        session = new ZmtpSession(kind, topics, LIMITS, new ZmtpMessage(), this);
    }

    ZmtpSession session() {
        return session;
    }

    void handshake() {
        give(Wire.join(Wire.greeting(3, 1, "NULL"), Wire.ready("PUB")));
        session.takeOutput();
    }

    void give(byte[] bytes) {
        give(bytes, bytes.length);
    }

    void give(byte[] bytes, int count) {
        byte[] all = Wire.join(left, Arrays.copyOf(bytes, count));
        // Behind other bytes, so that a wrong offset shows.
        byte[] shifted = Wire.join(new byte[] {9, 9, 9}, all);
        int consumed = session.receive(shifted, 3, shifted.length);
        left = Arrays.copyOfRange(all, consumed, all.length);
        mostLeft = Math.max(mostLeft, left.length);
    }

    /** Most bytes that had to be kept. */
    int mostLeft() {
        return mostLeft;
    }

    /** All messages so far, each as the text of its parts. */
    List<List<String>> messages() {
        return messages;
    }

    int handshakes() {
        return handshakes;
    }

    /** Kind and words of the fault; empty without one. */
    String fault() {
        ZmtpFault fault = session.fault();
        return fault == null ? "" : fault.kind() + " " + fault.why();
    }

    @Override
    public void ready() {
        handshakes++;
    }

    @Override
    public void message(ZmtpMessage message) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < message.parts(); i++) {
            parts.add(new String(message.copy(i), StandardCharsets.ISO_8859_1));
        }
        messages.add(parts);
    }
}
