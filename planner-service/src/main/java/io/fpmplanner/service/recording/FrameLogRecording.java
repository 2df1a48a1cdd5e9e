/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/** Reads a frame log, see {@link FrameLogFormat}; torn and damaged places cost only what lies there. */
final class FrameLogRecording extends Recording {
    private static final int CHUNK_BYTES = 1 << 16;

    private final Source source;
    private final FpmDecoder decoder = new FpmDecoder();
    private final ReportCounter counter = new ReportCounter();
    private final CRC32C crc = new CRC32C();
    private final Map<Integer, Origin> origins = new HashMap<>();
    /** Bytes read and not yet used, from its position to its limit. */
    private ByteBuffer ahead = ByteBuffer.allocate(4 * CHUNK_BYTES).limit(0);
    /** Place of the position of {@link #ahead} in the log. */
    private long position;
    /** End of the last record that was whole. */
    private long wholeUntil;

    private boolean ended;
    private byte[] payload = new byte[0];

    private record Origin(String endpoint, long publisherId) {}

    FrameLogRecording(Source source) throws RecordingException {
        super(source);
        this.source = source;
        readHeader();
    }

    /** Where the records of a log end, without what is torn. */
    static long endOfRecords(Path file) throws RecordingException, IOException {
        try (Recording recording = open(file)) {
            if (!(recording instanceof FrameLogRecording log) || log.source.gzipped()) {
                throw new RecordingException(file.toString(), 0, "no frame log that could be gone on with");
            }
            while (log.nextBody() >= 0) {
                // Only the end is wanted.
            }
            return log.wholeUntil;
        }
    }

    private void readHeader() throws RecordingException {
        if (!fill(FrameLogFormat.HEADER_BYTES)) {
            throw new RecordingException(source.file(), 0, "the header of the frame log is cut off");
        }
        byte[] magic = new byte[FrameLogFormat.MAGIC.length];
        ahead.get(magic);
        int version = ahead.getInt();
        position += FrameLogFormat.HEADER_BYTES;
        wholeUntil = position;
        if (!Arrays.equals(magic, FrameLogFormat.MAGIC)) {
            throw new RecordingException(source.file(), 0, "no recording: neither text nor a frame log");
        }
        if (version != FrameLogFormat.VERSION) {
            throw new RecordingException(
                    source.file(), 0, "a frame log of version " + version + "; this planner reads version 1");
        }
    }

    @Override
    public boolean next(FpmFrame into) throws RecordingException {
        for (int length = nextBody(); length >= 0; length = nextBody()) {
            ByteBuffer body = ahead.slice(ahead.position(), length);
            skip(length);
            if (takeIn(body, into)) {
                return true;
            }
        }
        return false;
    }

    private boolean takeIn(ByteBuffer body, FpmFrame into) {
        switch (body.hasRemaining() ? body.get() : 0) {
            case FrameLogFormat.SESSION -> origins.clear();
            case FrameLogFormat.ENDPOINT -> {
                if (body.remaining() >= FrameLogFormat.ENDPOINT_HEAD_BYTES - 1) {
                    int id = body.getInt();
                    long publisherId = body.getLong();
                    origins.put(id, new Origin(UTF_8.decode(body).toString(), publisherId));
                }
            }
            case FrameLogFormat.MESSAGE -> {
                return body.remaining() >= FrameLogFormat.MESSAGE_HEAD_BYTES - 1 && message(body, into);
            }
            default -> {
                // Of a later version.
            }
        }
        return false;
    }

    private boolean message(ByteBuffer body, FpmFrame into) {
        long receivedNanos = body.getLong();
        long sequence = body.getLong();
        // A name that was lost to damage; the ranks of different endpoints must not merge.
        Origin origin =
                origins.computeIfAbsent(body.getInt(), id -> new Origin("recording://#" + id, FpmFrame.NO_PUBLISHER));
        payload = new byte[body.remaining()];
        body.get(payload);
        into.arrival(origin.endpoint(), sequence, receivedNanos).publisherId(origin.publisherId());
        RejectReason reason = decoder.decode(payload, 0, payload.length, into);
        if (reason != null) {
            counter.rejected(reason);
            return false;
        }
        counter.frame();
        return true;
    }

    /**
     * Goes to the next body whose checksum holds; gives its length, or -1 at the end. What lies between is a damaged
     * place if a whole record follows it, and else the torn end.
     */
    private int nextBody() throws RecordingException {
        boolean whole = true;
        while (fill(FrameLogFormat.HEAD_BYTES)) {
            int length = wholeBody();
            if (length >= 0) {
                skip(FrameLogFormat.HEAD_BYTES);
                wholeUntil = position + length;
                if (!whole) {
                    counter.damaged();
                }
                return length;
            }
            whole = false;
            toNextMark();
        }
        if (!whole || ahead.hasRemaining()) {
            counter.torn();
        }
        return -1;
    }

    /** Length of the body if a whole record begins here, else -1. */
    private int wholeBody() throws RecordingException {
        int at = ahead.position();
        int length = ahead.getInt(at + 1);
        if (ahead.get(at) != FrameLogFormat.MARK
                || length < 0
                || length > FrameLogFormat.MAX_BODY_BYTES
                || !fill(FrameLogFormat.HEAD_BYTES + length)) {
            return -1;
        }
        at = ahead.position(); // filling may have moved it
        int expected = ahead.getInt(at + 1 + Integer.BYTES);
        int lengthAt = ahead.arrayOffset() + at + 1;
        int bodyAt = ahead.arrayOffset() + at + FrameLogFormat.HEAD_BYTES;
        return FrameLogFormat.checksum(crc, ahead.array(), lengthAt, bodyAt, length) == expected ? length : -1;
    }

    private void toNextMark() {
        skip(1);
        while (ahead.hasRemaining() && ahead.get(ahead.position()) != FrameLogFormat.MARK) {
            skip(1);
        }
    }

    private void skip(int bytes) {
        ahead.position(ahead.position() + bytes);
        position += bytes;
    }

    /** Reads on until so many bytes are ahead; false if the file ends before. */
    private boolean fill(int bytes) throws RecordingException {
        while (ahead.remaining() < bytes && !ended) {
            if (ahead.capacity() - ahead.position() < Math.max(bytes, CHUNK_BYTES)) {
                makeRoom(bytes);
            }
            int from = ahead.limit();
            try {
                int read = source.content().read(ahead.array(), from, ahead.capacity() - from);
                ended = read < 0;
                ahead.limit(from + Math.max(0, read));
            } catch (EOFException e) {
                ended = true; // compressed data without its end
            } catch (IOException e) {
                throw source.unreadable(e);
            }
        }
        return ahead.remaining() >= bytes;
    }

    private void makeRoom(int bytes) {
        ByteBuffer next = bytes + CHUNK_BYTES > ahead.capacity() ? ByteBuffer.allocate(bytes + CHUNK_BYTES) : ahead;
        byte[] from = ahead.array();
        int remaining = ahead.remaining();
        System.arraycopy(from, ahead.position(), next.array(), 0, remaining);
        ahead = next.position(0).limit(remaining);
    }

    @Override
    public byte[] payload() {
        return payload;
    }

    @Override
    public boolean isTimed() {
        return true;
    }

    @Override
    public RecordingReport report() {
        return counter.report();
    }
}
