/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.service.frames.FrameJson;
import io.fpmplanner.service.frames.FrameLineReader;
import java.io.EOFException;
import java.io.IOException;

/**
 * Reads JSON, one frame a line. Lines that are no frames are counted and left out; a file without any frame is refused.
 * Longer lines than a frame can have are passed over without being kept.
 */
final class JsonLinesRecording extends Recording {
    private static final long NANOS_PER_MILLISECOND = 1_000_000;

    private final Source source;
    private final FrameLineReader reader = new FrameLineReader();
    private final ReportCounter counter = new ReportCounter();
    private final byte[] line = new byte[FrameJson.MAX_FRAME_BYTES];
    private int length;
    private boolean tooLong;
    private boolean endedByNewline;
    private long number;
    private boolean timed;
    private boolean primed;

    JsonLinesRecording(Source source) {
        super(source);
        this.source = source;
    }

    @Override
    public boolean next(FpmFrame into) throws RecordingException {
        while (readLine()) {
            RejectReason reason = tooLong ? RejectReason.TOO_LARGE : reader.read(line, 0, length, into);
            if (reason == null) {
                stamp(into);
                counter.frame();
                return true;
            }
            if (reason == RejectReason.NOT_JSON && !endedByNewline) {
                counter.torn();
            } else {
                counter.rejected(reason, number);
            }
        }
        if (counter.frames() == 0) {
            throw new RecordingException(
                    source.file(), 0, "no line is a frame" + counter.report().remarks());
        }
        return false;
    }

    private void stamp(FpmFrame into) {
        if (!primed) {
            primed = true;
            timed = reader.publishedAtMillis() >= 0;
        }
        String publisher = reader.publisher();
        String endpoint = "recording://" + reader.component() + (publisher.isEmpty() ? "" : "#" + publisher);
        // The publisher's number is shared by its ranks, so that a rank's own counter tells more.
        into.arrival(endpoint, FpmFrame.NO_SEQUENCE, Math.max(0, reader.publishedAtMillis()) * NANOS_PER_MILLISECOND);
    }

    /** Reads the next line that is not blank; false at the end. */
    private boolean readLine() throws RecordingException {
        do {
            length = 0;
            tooLong = false;
            endedByNewline = false;
            number++;
        } while (readRest() && isBlank());
        return !isBlank();
    }

    /** Whether the line was ended by a newline. */
    private boolean readRest() throws RecordingException {
        try {
            for (int next = source.content().read();
                    next >= 0;
                    next = source.content().read()) {
                if (next == '\n') {
                    endedByNewline = true;
                    return true;
                }
                if (length < line.length) {
                    line[length++] = (byte) next;
                } else {
                    tooLong = true;
                }
            }
        } catch (EOFException e) {
            counter.torn(); // compressed data without its end
        } catch (IOException e) {
            throw source.unreadable(e);
        }
        return false;
    }

    private boolean isBlank() {
        for (int i = 0; i < length; i++) {
            if (!Character.isWhitespace(line[i])) {
                return false;
            }
        }
        return true;
    }

    @Override
    public byte[] payload() {
        return reader.payload();
    }

    @Override
    public boolean isTimed() {
        return timed;
    }

    @Override
    public RecordingReport report() {
        return counter.report();
    }
}
