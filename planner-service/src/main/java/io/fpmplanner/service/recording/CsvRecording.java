/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.service.frames.FrameJson;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads recorded FPM from CSV: a header that names the columns, then one frame a row. Columns come in any order, unknown
 * ones are ignored, those the file does not have count as 0. A cell may stand in double quotes.
 *
 * <p>Frames come in the order of their counters, or of the file if it has none; rows without work are left out. One
 * malformed row refuses the file: it was not written by a producer.
 */
final class CsvRecording extends Recording {
    /** Whole numbers beyond are not exact in a double. */
    private static final long LARGEST_COUNT = 1L << 53;

    private final String file;
    private final BufferedReader lines;
    private final CsvForm form;
    private final List<String> header;
    private final ReportCounter counter = new ReportCounter();
    private Iterator<RecordedFrame> frames = Collections.emptyIterator();
    private boolean read;
    private @Nullable RecordedFrame last;
    private int line = 1;

    CsvRecording(Source source) throws RecordingException {
        super(source);
        this.file = source.file();
        this.lines = new BufferedReader(new InputStreamReader(source.content(), UTF_8.newDecoder()));
        this.header = cells(Objects.requireNonNullElse(readLine(), ""));
        this.form = CsvForm.ALL.stream()
                .filter(known -> known.matches(header))
                .findFirst()
                .orElseThrow(() -> malformed("no recording of FPM: the header needs " + knownForms()));
    }

    @Override
    public boolean next(FpmFrame into) throws RecordingException {
        if (!read) {
            read = true;
            frames = readRows().iterator();
        }
        if (!frames.hasNext()) {
            return false;
        }
        RecordedFrame next = frames.next();
        last = next;
        next.fill(into);
        into.arrival("recording://", FpmFrame.NO_SEQUENCE, 0);
        counter.frame();
        return true;
    }

    @Override
    public byte[] payload() {
        FpmFrame frame = new FpmFrame();
        Objects.requireNonNull(last, "nothing was read").fill(frame);
        return FrameJson.payload(frame.view());
    }

    @Override
    public boolean isTimed() {
        return false;
    }

    @Override
    public RecordingReport report() {
        return counter.report();
    }

    private @Nullable String readLine() throws RecordingException {
        try {
            return lines.readLine();
        } catch (CharacterCodingException e) {
            throw new RecordingException(file, 0, "not a text file in UTF-8");
        } catch (EOFException e) {
            counter.torn(); // compressed data without its end
            return null;
        } catch (IOException e) {
            throw new RecordingException(file, 0, "cannot be read: " + e.getMessage());
        }
    }

    private List<RecordedFrame> readRows() throws RecordingException {
        List<RecordedFrame> rows = new ArrayList<>();
        boolean anyRow = false;
        for (String row = readLine(); row != null; row = readLine()) {
            line++;
            if (!row.isBlank()) {
                anyRow = true;
                RecordedFrame frame = frame(cells(row), rows.size());
                if (!frame.isIdle()) {
                    rows.add(frame);
                }
            }
        }
        if (!anyRow) {
            throw new RecordingException(file, 0, "the file has a header and no rows");
        }
        rows.sort(Comparator.comparingLong(RecordedFrame::counterId));
        return rows;
    }

    private RecordedFrame frame(List<String> row, int ordinal) throws RecordingException {
        if (row.size() != header.size()) {
            throw malformed("the header names " + header.size() + " columns, this row has " + row.size());
        }
        CsvForm.Columns prefill = form.prefill();
        CsvForm.Columns decode = form.decode();
        CsvForm.Columns queuedPrefill = form.queuedPrefill();
        CsvForm.Columns queuedDecode = form.queuedDecode();
        int worker = header.indexOf("worker_id");
        return new RecordedFrame(
                worker < 0 ? "" : row.get(worker),
                Math.toIntExact(count(row, "dp_rank", Integer.MAX_VALUE)),
                header.contains("counter_id") ? count(row, "counter_id") : ordinal,
                real(row, form.wallTime()) * form.secondsPerUnit(),
                new RecordedFrame.Scheduled(
                        count(row, prefill.requests()),
                        count(row, prefill.tokens()),
                        real(row, prefill.variance()),
                        count(row, prefill.kvTokens()),
                        count(row, decode.requests()),
                        count(row, decode.kvTokens()),
                        real(row, decode.variance())),
                new RecordedFrame.Queued(
                        count(row, queuedPrefill.requests()),
                        count(row, queuedPrefill.tokens()),
                        real(row, queuedPrefill.variance()),
                        count(row, queuedDecode.requests()),
                        count(row, queuedDecode.kvTokens()),
                        real(row, queuedDecode.variance())));
    }

    private long count(List<String> row, String column) throws RecordingException {
        return count(row, column, LARGEST_COUNT);
    }

    private long count(List<String> row, String column, long largest) throws RecordingException {
        double value = real(row, column);
        if (value != Math.rint(value) || value > largest) {
            throw malformed(column + " must be a whole number of at most " + largest + ", was '"
                    + row.get(header.indexOf(column)) + "'");
        }
        return (long) value;
    }

    private double real(List<String> row, String column) throws RecordingException {
        int index = header.indexOf(column);
        if (index < 0 || column.isEmpty()) {
            return 0;
        }
        String cell = row.get(index);
        try {
            double value = Double.parseDouble(cell);
            if (value >= 0 && value < Double.POSITIVE_INFINITY) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Answered below, with the place.
        }
        throw malformed(column + " must be a number of at least 0, was '" + cell + "'");
    }

    private RecordingException malformed(String reason) {
        return new RecordingException(file, line, reason);
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.replace("\uFEFF", "").split(",", -1))
                .map(String::strip)
                .map(cell -> cell.length() > 1 && cell.startsWith("\"") && cell.endsWith("\"")
                        ? cell.substring(1, cell.length() - 1)
                        : cell)
                .toList();
    }

    private static String knownForms() {
        return CsvForm.ALL.stream()
                .map(known -> known.wallTime() + " with " + known.prefill().tokens() + " or "
                        + known.decode().requests())
                .collect(Collectors.joining(", or "));
    }
}
