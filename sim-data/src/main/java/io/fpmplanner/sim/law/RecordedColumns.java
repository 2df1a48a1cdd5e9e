/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Where the columns of a recording are. Immutable. */
final class RecordedColumns {
    private final int[] columns;
    private final int width;
    private final double secondsPerUnit;

    private RecordedColumns(int[] columns, int width, double secondsPerUnit) {
        this.columns = columns;
        this.width = width;
        this.secondsPerUnit = secondsPerUnit;
    }

    /** Finds the columns by either of their two customary names. */
    static RecordedColumns of(Path file, String header) throws IOException {
        List<String> names = Arrays.asList(header.split(",", -1));
        boolean millis = names.contains("latency_ms");
        String[][] wanted = {
            {"sum_prefill_tokens", "prefill_tokens"},
            {"num_prefill_requests", "prefill_requests"},
            {"sum_prefill_kv_tokens", "prefill_kv_tokens"},
            {"num_decode_requests", "decode_requests"},
            {"sum_decode_kv_tokens", "decode_kv_tokens"},
            {"latency_ms", "wall_time_s"}
        };
        int[] columns = new int[wanted.length];
        for (int i = 0; i < wanted.length; i++) {
            columns[i] = Math.max(names.indexOf(wanted[i][0]), names.indexOf(wanted[i][1]));
            if (columns[i] < 0) {
                throw new IOException(file + " has no column " + wanted[i][0] + " or " + wanted[i][1]);
            }
        }
        return new RecordedColumns(columns, names.size(), millis ? 1e-3 : 1);
    }

    RecordedStep parse(String place, String line) throws IOException {
        String[] cells = line.split(",", -1);
        if (cells.length != width) {
            throw new IOException(place + " has " + cells.length + " cells, the header has " + width);
        }
        double[] values = new double[columns.length];
        for (int i = 0; i < columns.length; i++) {
            values[i] = number(place, cells[columns[i]]);
        }
        return new RecordedStep(values[0], values[1], values[2], values[3], values[4], values[5] * secondsPerUnit);
    }

    private static double number(String place, String cell) throws IOException {
        try {
            double value = Double.parseDouble(cell);
            if (value >= 0 && value < 1e15) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new IOException(place + ": '" + cell + "' is not a number", e);
        }
        throw new IOException(place + ": " + cell + " is negative, not finite or too large");
    }
}
