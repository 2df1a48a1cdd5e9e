/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

import io.fpmplanner.core.fpm.FpmFrame;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Writes a frame log, see {@link FrameLogFormat}: every message as it was received. Only ever appends; what {@link #flush}
 * has written survives the process. Not threadsafe.
 */
public final class FrameLogWriter implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final FileChannel channel;
    private final Map<Origin, Integer> endpoints = new HashMap<>();
    private final CRC32C crc = new CRC32C();
    private final long maxBytes;
    private ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long written;

    private FrameLogWriter(FileChannel channel, long maxBytes) {
        this.channel = channel;
        this.maxBytes = maxBytes;
    }

    /**
     * Creates a log.
     *
     * @param maxBytes the file never grows beyond
     * @param startedNanos nanoseconds since the Unix epoch
     * @throws java.nio.file.FileAlreadyExistsException if there is such a file; nothing is overwritten
     * @throws IOException if it cannot be created or written
     */
    public static FrameLogWriter create(Path file, long maxBytes, long startedNanos) throws IOException {
        FrameLogWriter writer = new FrameLogWriter(
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), maxBytes);
        writer.buffer.put(FrameLogFormat.MAGIC).putInt(FrameLogFormat.VERSION);
        writer.session(startedNanos);
        return writer;
    }

    /**
     * Goes on with a log that exists; a torn record at its end is cut off first.
     *
     * @throws RecordingException if it is no frame log
     * @throws IOException if it cannot be read or written
     */
    public static FrameLogWriter append(Path file, long maxBytes, long startedNanos)
            throws IOException, RecordingException {
        long end = FrameLogRecording.endOfRecords(file);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        channel.truncate(end).position(end);
        FrameLogWriter writer = new FrameLogWriter(channel, maxBytes);
        writer.written = end;
        writer.session(startedNanos);
        return writer;
    }

    private void session(long startedNanos) throws IOException {
        int body = begin(1 + Long.BYTES);
        buffer.put(FrameLogFormat.SESSION).putLong(startedNanos);
        end(body);
    }

    /** Where messages come from: an endpoint and, on an event plane, who published there, else -1. */
    private record Origin(String endpoint, long publisherId) {}

    /**
     * Adds a message.
     *
     * @param arrival its arrival stamps are written, nothing else of it
     * @param payload holds the payload; not kept
     * @return false, and nothing is written, if the file would grow beyond its limit
     * @throws IOException if it cannot be written
     */
    public boolean write(FpmFrame arrival, byte[] payload, int offset, int length) throws IOException {
        Origin origin = new Origin(arrival.endpoint(), arrival.publisherId());
        Integer known = endpoints.get(origin);
        byte[] name = known == null ? origin.endpoint().getBytes(StandardCharsets.UTF_8) : new byte[0];
        int nameBytes =
                known == null ? FrameLogFormat.HEAD_BYTES + FrameLogFormat.ENDPOINT_HEAD_BYTES + name.length : 0;
        int messageBytes = FrameLogFormat.MESSAGE_HEAD_BYTES + length;
        if (messageBytes > FrameLogFormat.MAX_BODY_BYTES) {
            throw new IllegalArgumentException("a message of " + length + " bytes is no FPM message");
        }
        if (bytes() + nameBytes + FrameLogFormat.HEAD_BYTES + messageBytes > maxBytes) {
            return false;
        }
        int id = known == null ? define(origin, name) : known;
        int body = begin(messageBytes);
        buffer.put(FrameLogFormat.MESSAGE)
                .putLong(arrival.receivedNanos())
                .putLong(arrival.sequence())
                .putInt(id);
        buffer.put(payload, offset, length);
        end(body);
        return true;
    }

    private int define(Origin origin, byte[] name) throws IOException {
        int id = endpoints.size();
        endpoints.put(origin, id);
        int body = begin(FrameLogFormat.ENDPOINT_HEAD_BYTES + name.length);
        buffer.put(FrameLogFormat.ENDPOINT)
                .putInt(id)
                .putLong(origin.publisherId())
                .put(name);
        end(body);
        return id;
    }

    /** Bytes of the file, those not flushed included. */
    public long bytes() {
        return written + buffer.position();
    }

    /** Hands everything to the operating system. */
    public void flush() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            written += channel.write(buffer);
        }
        buffer.clear();
    }

    /** Flushes, has the disk confirm and closes. */
    @Override
    public void close() throws IOException {
        try (channel) {
            flush();
            channel.force(true);
        }
    }

    /** Makes room for a record and leaves its head to {@link #end}; gives the place of the body. */
    private int begin(int bodyLength) throws IOException {
        int record = FrameLogFormat.HEAD_BYTES + bodyLength;
        if (record > buffer.remaining()) {
            flush();
            if (record > buffer.capacity()) {
                buffer = ByteBuffer.allocate(record);
            }
        }
        buffer.put(FrameLogFormat.MARK).putInt(bodyLength).putInt(0);
        return buffer.position();
    }

    private void end(int body) {
        int checksumAt = body - Integer.BYTES;
        int lengthAt = checksumAt - Integer.BYTES;
        int checksum = FrameLogFormat.checksum(crc, buffer.array(), lengthAt, body, buffer.position() - body);
        buffer.putInt(checksumAt, checksum);
    }
}
