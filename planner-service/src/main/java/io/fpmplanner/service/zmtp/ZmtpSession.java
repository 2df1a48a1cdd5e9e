/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One end of a ZMTP connection: what to send, and what the received bytes mean. Fed with bytes in pieces of any size; a
 * peer's fault ends it, no input makes it throw. No I/O, no clock. Not threadsafe.
 */
final class ZmtpSession {
    /*
     * ZMTP 3.1 (ZeroMQ RFC 37) and 3.0 (RFC 23). A greeting of 64 bytes, then frames: a byte of flags, a size of 1 or 8
     * bytes, the body. The first frame of each side is the command READY with its socket type.
     *
     * Subscriptions: 3.0 sends them as a message 0x01 TOPIC, 3.1 as the command SUBSCRIBE. Tried: libzmq 4.3.4 announces 3.1
     * whatever we do, and its XPUB takes both forms from us whatever we announced; JeroMQ 0.6.0 announces 3.0. So the form
     * follows what the peer announces. PING and PONG came with 3.1, so only such peers are pinged; a PING is answered to all.
     */
    static final int GREETING_BYTES = 64;
    static final int MORE = 1;
    static final int LONG = 2;
    static final int COMMAND = 4;
    private static final int KNOWN_FLAGS = MORE | LONG | COMMAND;

    static final int SIGNATURE_END = 9;
    static final int MAJOR_AT = 10;
    static final int MINOR_AT = 11;
    static final int MECHANISM_AT = 12;
    private static final int MECHANISM_BYTES = 20;
    private static final int MAX_COMMAND_BYTES = 4096;

    private static final int MAX_PING_CONTEXT_BYTES = 16;
    private static final int PING_TTL_BYTES = 2;
    private static final String WORD = "[A-Za-z0-9_.+-]{1,40}";

    private enum Phase {
        GREETING,
        READY,
        TRAFFIC,
        ENDED
    }

    /** Called from within {@link #receive}. */
    interface Listener {
        /** The handshake is done. */
        void ready();

        void message(ZmtpMessage message);
    }

    private final SocketKind kind;
    private final List<byte[]> topics;
    private final ZmtpLimits limits;
    private final ZmtpMessage message;
    private final Listener listener;
    /** Of the peer, for a PUB. */
    private final Subscriptions subscriptions = new Subscriptions();

    private final ZmtpOutput output = new ZmtpOutput();
    private Phase phase = Phase.GREETING;
    private int peerMinor;
    /** Commands before this place, counted from the start of an unfinished message, were carried out. */
    private int commandsDone;

    private @Nullable ZmtpFault fault;

    /**
     * A session whose greeting waits to be sent.
     *
     * @param topics prefixes to subscribe to, for a SUB
     * @param message filled with each message; sessions fed by one thread may share one
     */
    ZmtpSession(SocketKind kind, List<byte[]> topics, ZmtpLimits limits, ZmtpMessage message, Listener listener) {
        this.kind = kind;
        this.topics = List.copyOf(topics);
        this.limits = limits;
        this.message = message;
        this.listener = listener;
    }

    /** Whether the handshake is done and nothing has gone wrong. */
    boolean isReady() {
        return phase == Phase.TRAFFIC;
    }

    /** What went wrong; null while nothing has. */
    @Nullable
    ZmtpFault fault() {
        return fault;
    }

    /** Whether bytes wait to be sent. */
    boolean hasOutput() {
        return !output.isEmpty();
    }

    /** The bytes to be sent, which are taken from here. */
    byte[] takeOutput() {
        return output.take();
    }

    /** Whether the peer has subscribed to anything. */
    boolean isSubscribed() {
        return isReady() && !subscriptions.isEmpty();
    }

    /**
     * Has a message sent if the peer has subscribed to it.
     *
     * @param queuedBytes waiting elsewhere to be sent
     * @return false if it was dropped: nobody subscribed to it, or too much waits already
     */
    boolean publish(ZmtpMessage published, int queuedBytes) {
        if (!isReady() || !subscriptions.match(published)) {
            return false;
        }
        return output.message(published, queuedBytes);
    }

    /** Whether the peer answers a {@link #ping}. */
    boolean canPing() {
        return isReady() && peerMinor >= 1;
    }

    /** Has the peer asked whether it is there. */
    void ping() {
        output.command("PING", new byte[PING_TTL_BYTES]);
    }

    /**
     * Takes received bytes.
     *
     * @param array holds the bytes; those that were not consumed before must come first
     * @return how many were consumed; the others must be offered again, with more behind them
     */
    int receive(byte[] array, int offset, int limit) {
        int at = offset;
        if (phase == Phase.GREETING) {
            if (!takeGreeting(array, at, limit)) {
                return 0;
            }
            at += GREETING_BYTES;
        }
        while (phase != Phase.ENDED) {
            int end = takeMessage(array, at, limit);
            if (end < 0) {
                break;
            }
            at = end;
        }
        return phase == Phase.ENDED ? limit - offset : at - offset;
    }

    private boolean takeGreeting(byte[] array, int offset, int limit) {
        int present = limit - offset;
        if (present == 0) {
            return false;
        }
        // Judged as early as possible: another protocol may never send 64 bytes.
        if (array[offset] != (byte) 0xff || (present > SIGNATURE_END && (array[offset + SIGNATURE_END] & 1) == 0)) {
            return end(ZmtpFault.foreign("the peer does not speak ZMTP"));
        }
        if (present > MAJOR_AT && array[offset + MAJOR_AT] < 3) {
            return end(ZmtpFault.foreign("the peer speaks ZMTP " + array[offset + MAJOR_AT] + ", not 3"));
        }
        if (present < GREETING_BYTES) {
            return false;
        }
        String mechanism =
                new String(array, offset + MECHANISM_AT, MECHANISM_BYTES, StandardCharsets.ISO_8859_1).trim();
        if (!mechanism.equals("NULL")) {
            return end(ZmtpFault.foreign("the peer wants the security mechanism " + word(mechanism) + ", not NULL"));
        }
        peerMinor = array[offset + MAJOR_AT] > 3 ? 1 : array[offset + MINOR_AT];
        phase = Phase.READY;
        output.ready(kind);
        return true;
    }

    /**
     * Takes all frames of one message, or one command outside of messages.
     *
     * @return where it ends, or -1 if it is not all there
     */
    private int takeMessage(byte[] array, int start, int limit) {
        message.clear(array);
        int at = start;
        while (true) {
            int flags = at < limit ? array[at] & 0xff : 0;
            int header = (flags & LONG) == 0 ? 2 : 9;
            if (limit - at < header) {
                return -1;
            }
            long size = header == 2 ? array[at + 1] & 0xff : number(array, at + 1, Long.BYTES);
            if (!allows(flags, size, at + header - start)) {
                return -1;
            }
            int body = at + header;
            if (limit - body < size) {
                return -1;
            }
            at = body + (int) size;
            if ((flags & COMMAND) != 0) {
                if (body - start >= commandsDone) {
                    takeCommand(array, body, (int) size);
                    commandsDone = at - start;
                }
                if (phase == Phase.ENDED) {
                    return -1;
                }
                if (message.parts() == 0) {
                    commandsDone = 0;
                    return at;
                }
            } else {
                message.add(body, (int) size);
                if ((flags & MORE) == 0) {
                    commandsDone = 0;
                    takeWhole();
                    return at;
                }
            }
        }
    }

    private void takeWhole() {
        if (kind != SocketKind.PUB) {
            listener.message(message);
        } else if (message.parts() == 1 && message.length(0) > 0) {
            int at = message.offset(0);
            byte[] topic = Arrays.copyOfRange(message.buffer(), at + 1, at + message.length(0));
            switch (message.buffer()[at]) {
                case 1 -> subscriptions.add(topic);
                case 0 -> subscriptions.cancel(topic);
                default -> {
                    // What an XSUB says to its publisher; nobody asks here.
                }
            }
        }
    }

    private static long number(byte[] array, int offset, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | (array[offset + i] & 0xff);
        }
        return value;
    }

    /** Whether a frame may come now; judged by its header, before its body is waited for. */
    private boolean allows(int flags, long size, int before) {
        boolean command = (flags & COMMAND) != 0;
        if ((flags & ~KNOWN_FLAGS) != 0 || (command && (flags & MORE) != 0)) {
            return end(ZmtpFault.breach("a frame has flags that cannot be: 0x" + Integer.toHexString(flags)));
        }
        if (!command && phase != Phase.TRAFFIC) {
            return end(ZmtpFault.foreign("the peer sends a message before READY"));
        }
        int most = command ? MAX_COMMAND_BYTES : limits.partBytes();
        if (size < 0 || size > most) {
            return end(ZmtpFault.breach((command ? "a command" : "a message part") + " declares "
                    + Long.toUnsignedString(size) + " bytes; at most " + most + " are taken"));
        }
        if (before + size > limits.messageBytes()) {
            return end(ZmtpFault.breach("a message exceeds " + limits.messageBytes() + " bytes in all"));
        }
        if (!command && message.parts() == limits.parts()) {
            return end(ZmtpFault.breach("a message has more than " + limits.parts() + " parts"));
        }
        return true;
    }

    private void takeCommand(byte[] array, int offset, int size) {
        int nameLength = size == 0 ? 0 : array[offset] & 0xff;
        if (nameLength == 0 || nameLength >= size) {
            end(ZmtpFault.breach("a command has no name"));
            return;
        }
        String name = new String(array, offset + 1, nameLength, StandardCharsets.ISO_8859_1);
        int rest = offset + 1 + nameLength;
        int restLength = size - 1 - nameLength;
        if (phase == Phase.READY) {
            takeHandshakeCommand(name, array, rest, restLength);
            return;
        }
        switch (name) {
            case "PING" -> pong(array, rest, restLength);
            case "ERROR" -> end(ZmtpFault.breach("the peer says ERROR" + reason(array, rest, restLength)));
            case "SUBSCRIBE" -> subscriptions.add(Arrays.copyOfRange(array, rest, rest + restLength));
            case "CANCEL" -> subscriptions.cancel(Arrays.copyOfRange(array, rest, rest + restLength));
            default -> {
                // PONG, and what later versions may bring.
            }
        }
    }

    private void takeHandshakeCommand(String name, byte[] array, int offset, int length) {
        switch (name) {
            case "READY" -> takeReady(array, offset, length);
            case "ERROR" -> end(ZmtpFault.foreign("the peer refuses us" + reason(array, offset, length)));
            default -> end(ZmtpFault.foreign("the peer sends " + word(name) + " instead of READY"));
        }
    }

    private void takeReady(byte[] array, int offset, int length) {
        String peerType = null;
        int at = offset;
        int limit = offset + length;
        while (at < limit) {
            int nameLength = array[at] & 0xff;
            int valueAt = at + 1 + nameLength + Integer.BYTES;
            if (nameLength == 0 || valueAt > limit) {
                end(ZmtpFault.breach("READY has a malformed property"));
                return;
            }
            long valueLength = number(array, valueAt - Integer.BYTES, Integer.BYTES);
            if (valueLength > limit - valueAt) {
                end(ZmtpFault.breach("READY has a malformed property"));
                return;
            }
            String name = new String(array, at + 1, nameLength, StandardCharsets.ISO_8859_1);
            if (name.equalsIgnoreCase("Socket-Type")) {
                peerType = new String(array, valueAt, (int) valueLength, StandardCharsets.ISO_8859_1);
            }
            at = valueAt + (int) valueLength;
        }
        if (peerType == null || !kind.accepts(peerType)) {
            end(ZmtpFault.foreign("the peer is a " + (peerType == null ? "nameless" : word(peerType)) + " socket, not "
                    + kind.peers()));
            return;
        }
        phase = Phase.TRAFFIC;
        if (kind == SocketKind.SUB) {
            topics.forEach(topic -> output.subscribe(topic, peerMinor >= 1));
        }
        listener.ready();
    }

    private void pong(byte[] array, int offset, int length) {
        int context = length - PING_TTL_BYTES;
        if (context < 0 || context > MAX_PING_CONTEXT_BYTES) {
            end(ZmtpFault.breach("a PING has " + length + " bytes"));
            return;
        }
        output.command("PONG", Arrays.copyOfRange(array, offset + PING_TTL_BYTES, offset + length));
        if (output.isOverfull()) {
            end(ZmtpFault.breach("the peer does not read what it asks for"));
        }
    }

    /** The reason in the body of an ERROR, if it can be shown. */
    private static String reason(byte[] array, int offset, int length) {
        int said = length == 0 ? 0 : Math.min(array[offset] & 0xff, length - 1);
        return said == 0 ? "" : ": " + word(new String(array, offset + 1, said, StandardCharsets.ISO_8859_1));
    }

    /** A peer's text as it may stand in a log line. */
    private static String word(String text) {
        return text.matches(WORD) ? text : "unprintable";
    }

    private boolean end(ZmtpFault problem) {
        fault = problem;
        phase = Phase.ENDED;
        return false;
    }
}
