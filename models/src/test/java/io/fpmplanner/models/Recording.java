/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ObjDoubleConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A recorded stream of frames, in order. */
record Recording(String name, List<Frame> frames) {
    private static final List<String> VLLM = List.of(
            "num_prefill_requests",
            "sum_prefill_tokens",
            "sum_prefill_kv_tokens",
            "var_prefill_length",
            "num_decode_requests",
            "sum_decode_kv_tokens",
            "var_decode_kv_tokens",
            "latency_ms");
    private static final List<String> TENSORRT = List.of(
            "prefill_requests",
            "prefill_tokens",
            "prefill_kv_tokens",
            "-",
            "decode_requests",
            "decode_kv_tokens",
            "-",
            "wall_time_s");

    /** One frame: seven loads and the wall time. */
    record Frame(long counterId, List<Double> loads, double wallTimeSeconds) {
        Frame times(double factor) {
            return new Frame(counterId, loads, wallTimeSeconds * factor);
        }
    }

    /** All recordings of the shared data, or a skipped test that says so. */
    static List<Recording> all() {
        Path folder = Path.of(System.getProperty("fpm.shared.data", "absent"), "fpm");
        Assumptions.assumeTrue(Files.isDirectory(folder), "SKIPPED: no recordings at " + folder);
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".csv"))
                    .sorted()
                    .map(Recording::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Recording part(int from, int to) {
        return new Recording(name, frames.subList(from, to));
    }

    private static Recording read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            List<String> header = Arrays.asList(lines.get(0).split(",", -1));
            boolean vllm = header.contains("latency_ms");
            int[] columns =
                    (vllm ? VLLM : TENSORRT).stream().mapToInt(header::indexOf).toArray();
            List<Frame> frames = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                String[] cells = line.split(",", -1);
                List<Double> values = Arrays.stream(columns)
                        .mapToObj(column -> column < 0 ? 0.0 : Double.parseDouble(cells[column]))
                        .toList();
                long counterId = vllm ? Long.parseLong(cells[header.indexOf("counter_id")]) : frames.size();
                frames.add(new Frame(counterId, values.subList(0, 7), values.get(7) * (vllm ? 1e-3 : 1)));
            }
            frames.sort(Comparator.comparingLong(Frame::counterId));
            return new Recording(
                    file.getFileName()
                            .toString()
                            .replaceAll("vllm0.20.1_b300_|(\\.fpm_metrics_detail)?\\.csv", "")
                            .replace('.', '_'),
                    frames);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Hands out the frames that did work, one after the other, in a reused workload. */
    void forEach(ObjDoubleConsumer<StepWorkload> consumer) {
        StepWorkload step = new StepWorkload();
        for (Frame frame : frames) {
            List<Double> l = frame.loads();
            step.prefill(l.get(0), l.get(1), l.get(2), l.get(3)).decode(l.get(4), l.get(5), l.get(6));
            if (frame.wallTimeSeconds() > 0 && !step.isEmpty()) {
                consumer.accept(step, frame.wallTimeSeconds());
            }
        }
    }
}
