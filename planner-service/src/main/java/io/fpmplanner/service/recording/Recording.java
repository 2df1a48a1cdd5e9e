/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

import io.fpmplanner.core.fpm.FpmFrame;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A file of recorded frames that is read once, from its beginning to its end. The form is found from the content:
 *
 * <ul>
 *   <li>our own frame log, see {@link FrameLogWriter};
 *   <li>JSON, one frame a line: {@code dynamo.fpm.trace.v1} as Dynamo traces it, its export, or bare frames;
 *   <li>CSV of Dynamo with vLLM or of TensorRT-LLM, ordered by their counters.
 * </ul>
 *
 * <p>Each may be compressed with gzip, of which the end may be missing, as in a file that is still being written. Not
 * threadsafe.
 */
public abstract class Recording implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int GZIP_FIRST = 0x1f;
    private static final int GZIP_SECOND = 0x8b;
    private static final int BYTE_ORDER_MARK_FIRST = 0xef;

    private final CountingInput counter;
    private final long fileBytes;

    Recording(Source source) {
        this.counter = source.counter();
        this.fileBytes = source.fileBytes();
    }

    /** An opened file: its name, its content without compression, and how much of the file was read. */
    record Source(String file, BufferedInputStream content, CountingInput counter, long fileBytes, boolean gzipped) {
        RecordingException unreadable(IOException problem) {
            return new RecordingException(
                    file,
                    0,
                    problem instanceof ZipException
                            ? "damaged gzip data: " + problem.getMessage()
                            : "cannot be read: " + problem.getMessage());
        }
    }

    /**
     * Opens a recording of any form.
     *
     * @throws RecordingException if the file cannot be read or is no recording
     */
    public static Recording open(Path path) throws RecordingException {
        String file = path.toString();
        CountingInput counter = null;
        try {
            if (Files.isDirectory(path)) {
                throw new RecordingException(file, 0, "cannot be read: Is a directory");
            }
            counter = new CountingInput(Files.newInputStream(path));
            return of(file, counter, Files.size(path));
        } catch (NoSuchFileException e) {
            throw new RecordingException(file, 0, "no such file");
        } catch (IOException e) {
            close(counter);
            throw new RecordingException(file, 0, "cannot be read: " + e.getMessage());
        } catch (RecordingException e) {
            close(counter);
            throw e;
        }
    }

    private static void close(@org.jspecify.annotations.Nullable InputStream stream) {
        if (stream != null) {
            try {
                stream.close();
            } catch (IOException e) {
                // It was only read, and there is a better reason to give.
            }
        }
    }

    private static Recording of(String file, CountingInput counter, long fileBytes)
            throws IOException, RecordingException {
        BufferedInputStream plain = new BufferedInputStream(counter, BUFFER_BYTES);
        boolean gzipped = startsWith(plain, GZIP_FIRST, GZIP_SECOND);
        BufferedInputStream content =
                gzipped ? new BufferedInputStream(new GZIPInputStream(plain, BUFFER_BYTES), BUFFER_BYTES) : plain;
        Source source = new Source(file, content, counter, fileBytes, gzipped);
        int first = firstByte(content);
        if (first < 0) {
            throw new RecordingException(file, 0, "the file is empty");
        }
        if (first == FrameLogFormat.FIRST_BYTE) {
            return new FrameLogRecording(source);
        }
        return first == '{' ? new JsonLinesRecording(source) : new CsvRecording(source);
    }

    private static boolean startsWith(BufferedInputStream in, int first, int second) throws IOException {
        in.mark(2);
        boolean equal = in.read() == first && in.read() == second;
        in.reset();
        return equal;
    }

    /** The first byte that is no white space, without reading on; at most so far that it can be gone back. */
    private static int firstByte(BufferedInputStream in) throws IOException {
        int most = BUFFER_BYTES / 2;
        in.mark(most);
        int next = in.read();
        for (int i = 1; i < most && (Character.isWhitespace(next) || isByteOrderMark(next)); i++) {
            next = in.read();
        }
        in.reset();
        return next;
    }

    private static boolean isByteOrderMark(int next) {
        return next == BYTE_ORDER_MARK_FIRST || next == 0xbb || next == 0xbf;
    }

    /**
     * The steps of a recording in one list: frames that computed something in a measured time.
     *
     * @throws RecordingException if the file cannot be read, is no recording or has a malformed row
     */
    public static List<RecordedFrame> steps(Path path) throws RecordingException {
        List<RecordedFrame> steps = new ArrayList<>();
        FpmFrame frame = new FpmFrame();
        try (Recording recording = open(path)) {
            while (recording.next(frame)) {
                if (frame.hasWork() && frame.wallTimeSeconds() > 0) {
                    steps.add(RecordedFrame.of(frame));
                }
            }
            return steps;
        } catch (IOException e) {
            throw new RecordingException(path.toString(), 0, "cannot be read: " + e.getMessage());
        }
    }

    /**
     * Reads the next frame, with its arrival stamps if {@link #isTimed()}.
     *
     * @return false at the end
     * @throws RecordingException if the rest cannot be read
     */
    public abstract boolean next(FpmFrame into) throws RecordingException;

    /** The msgpack payload of the frame read last: as it was received if the form keeps that, else made from its fields. */
    public abstract byte[] payload();

    /** Whether frames carry when and where they were received. */
    public abstract boolean isTimed();

    /** What was found so far besides frames. */
    public abstract RecordingReport report();

    /** Bytes of the file that were read so far; at the end {@link #fileBytes()}. */
    public final long bytesRead() {
        return counter.count();
    }

    /** Size of the file when it was opened. */
    public final long fileBytes() {
        return fileBytes;
    }

    @Override
    public void close() throws IOException {
        counter.close();
    }
}
