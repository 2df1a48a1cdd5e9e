/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.ndjson;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.service.frames.FrameJson;
import io.fpmplanner.service.frames.FrameLineReader;
import io.fpmplanner.service.source.FrameIntake;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** One connected writer and the line it is writing. For the source's thread alone. */
final class NdjsonWriter implements FrameIntake.Reader {
    /** Read of one writer before the others get their turn. */
    private static final int MOST_READS = 4;

    private final NdjsonListener listener;
    private final FrameLineReader reader = new FrameLineReader();
    /** From 0 to its position: what came and is not yet a whole line. */
    private final ByteBuffer pending = ByteBuffer.allocate(FrameJson.MAX_FRAME_BYTES);

    private boolean skipping;
    private int lineOffset;
    private int lineLength;
    private byte[] payload = {};

    NdjsonWriter(NdjsonListener listener) {
        this.listener = listener;
    }

    /** Reads what there is and takes in the lines that are whole. */
    void read(SelectionKey key, FrameIntake intake) {
        SocketChannel channel = (SocketChannel) key.channel();
        try {
            for (int i = 0; i < MOST_READS; i++) {
                int from = pending.position();
                int read = channel.read(pending);
                if (read <= 0) {
                    if (read < 0) {
                        end(key, intake);
                    }
                    return;
                }
                takeLines(from, intake);
            }
        } catch (IOException e) {
            end(key, intake);
        }
    }

    private void end(SelectionKey key, FrameIntake intake) {
        if (pending.position() > 0 && !skipping) {
            take(0, pending.position(), intake); // a last line without its newline, or half of one
        }
        key.cancel();
        try {
            key.channel().close();
        } catch (IOException e) {
            // It is gone either way.
        }
        listener.writerGone();
    }

    private void takeLines(int searchFrom, FrameIntake intake) {
        byte[] bytes = pending.array();
        int lineStart = 0;
        for (int i = searchFrom; i < pending.position(); i++) {
            if (bytes[i] == '\n') {
                if (!skipping) {
                    take(lineStart, i - lineStart, intake);
                }
                skipping = false;
                lineStart = i + 1;
            }
        }
        pending.limit(pending.position()).position(lineStart);
        pending.compact();
        if (!pending.hasRemaining()) {
            if (!skipping) {
                intake.refuse(listener.ledger(), RejectReason.TOO_LARGE, bytes, 0, bytes.length);
            }
            skipping = true;
            pending.clear();
        }
    }

    private void take(int offset, int length, FrameIntake intake) {
        byte[] bytes = pending.array();
        int end = offset + length;
        while (end > offset && Character.isWhitespace(bytes[end - 1])) {
            end--;
        }
        if (end == offset) {
            return;
        }
        lineOffset = offset;
        lineLength = end - offset;
        intake.frame(listener.ledger(), this);
    }

    @Override
    public @Nullable RejectReason read(FpmFrame into) {
        RejectReason reason = reader.read(pending.array(), lineOffset, lineLength, into);
        payload = reason == null ? reader.payload() : new byte[0];
        if (reason == null && reader.publisherId() >= 0) {
            into.publisherId(reader.publisherId());
        }
        return reason;
    }

    @Override
    public byte[] payload() {
        return payload;
    }

    @Override
    public String refusedField() {
        return reader.refusedField();
    }
}
