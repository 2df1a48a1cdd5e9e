/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Reads recorded FPM from CSV: a header that names the columns, then one frame a row. Columns come in any order, unknown
 * ones are ignored, those the file does not have count as 0. A cell may stand in double quotes.
 */
public final class RecordingReader {
    /** Whole numbers beyond are not exact in a double. */
    private static final long LARGEST_COUNT = 1L << 53;

    private final String file;
    private final RecordingFormat format;
    private final List<String> header;
    private int line = 1;

    private RecordingReader(String file, String firstLine) throws RecordingException {
        this.file = file;
        this.header = cells(firstLine);
        this.format = RecordingFormat.ALL.stream()
                .filter(form -> form.matches(header))
                .findFirst()
                .orElseThrow(() -> malformed("no recording of FPM: the header needs " + knownForms()));
    }

    /**
     * Reads the steps of a recording in the order of their counters, or of the file if it has none; rows without work
     * are left out.
     *
     * @throws RecordingException if the file cannot be read, is no recording or has a malformed row
     */
    public static List<RecordedFrame> read(Path path) throws RecordingException {
        String file = path.toString();
        try (BufferedReader lines = Files.newBufferedReader(path)) {
            String first = lines.readLine();
            if (first == null) {
                throw new RecordingException(file, 0, "the file is empty");
            }
            return new RecordingReader(file, first).readRows(lines);
        } catch (NoSuchFileException e) {
            throw new RecordingException(file, 0, "no such file");
        } catch (CharacterCodingException e) {
            throw new RecordingException(file, 0, "not a text file in UTF-8");
        } catch (IOException e) {
            throw new RecordingException(file, 0, "cannot be read: " + e.getMessage());
        }
    }

    private List<RecordedFrame> readRows(BufferedReader lines) throws IOException, RecordingException {
        List<RecordedFrame> frames = new ArrayList<>();
        boolean anyRow = false;
        for (String row = lines.readLine(); row != null; row = lines.readLine()) {
            line++;
            if (!row.isBlank()) {
                anyRow = true;
                RecordedFrame frame = frame(cells(row), frames.size());
                if (!frame.isIdle()) {
                    frames.add(frame);
                }
            }
        }
        if (!anyRow) {
            throw new RecordingException(file, 0, "the file has a header and no rows");
        }
        frames.sort(Comparator.comparingLong(RecordedFrame::counterId));
        return frames;
    }

    private RecordedFrame frame(List<String> row, int ordinal) throws RecordingException {
        if (row.size() != header.size()) {
            throw malformed("the header names " + header.size() + " columns, this row has " + row.size());
        }
        RecordingFormat.Columns prefill = format.prefill();
        RecordingFormat.Columns decode = format.decode();
        RecordingFormat.Columns queuedPrefill = format.queuedPrefill();
        RecordingFormat.Columns queuedDecode = format.queuedDecode();
        int worker = header.indexOf("worker_id");
        return new RecordedFrame(
                worker < 0 ? "" : row.get(worker),
                Math.toIntExact(count(row, "dp_rank", Integer.MAX_VALUE)),
                header.contains("counter_id") ? count(row, "counter_id") : ordinal,
                real(row, format.wallTime()) * format.secondsPerUnit(),
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
        return RecordingFormat.ALL.stream()
                .map(form -> form.wallTime() + " with " + form.prefill().tokens() + " or "
                        + form.decode().requests())
                .collect(Collectors.joining(", or "));
    }
}
