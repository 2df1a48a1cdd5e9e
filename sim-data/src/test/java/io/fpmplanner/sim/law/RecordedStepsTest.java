/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedStepsTest {
    private static final String HEADER = "sum_prefill_tokens,num_prefill_requests,sum_prefill_kv_tokens,"
            + "num_decode_requests,sum_decode_kv_tokens,latency_ms";

    @TempDir
    Path directory;

    @Test
    void steps_nearby_and_far_away_cost_what_the_recording_says() throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        for (int requests = 1; requests <= 64; requests++) {
            for (int context = 100; context <= 3_200; context *= 2) {
                double millis = 10 + 0.1 * requests + 1e-4 * requests * context;
                lines.add("0,0,0," + requests + "," + requests * context + "," + millis);
            }
        }
        RecordedSteps steps = RecordedSteps.read(Files.write(directory.resolve("decode.csv"), lines));

        assertThat(steps.size()).isEqualTo(lines.size() - 1);
        double[] near = Steps.decodes(steps.law(1), 32, 1_000, 20);
        assertThat(Arrays.stream(near).average().orElseThrow() * 1e3).isCloseTo(10 + 3.2 + 3.2, withinPercentage(3));
        double[] far = Steps.decodes(steps.law(1), 200, 5_000, 20);
        assertThat(Arrays.stream(far).average().orElseThrow() * 1e3).isCloseTo(10 + 20 + 100, withinPercentage(10));
    }

    @Test
    void two_modes_stay_two_modes_and_stragglers_go() throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        for (int i = 0; i < 400; i++) {
            lines.add("0,0,0,8," + (8_000 + i) + "," + (i % 2 == 0 ? "13.4" : "19.6"));
        }
        lines.add("0,0,0,8,8000,6700");
        RecordedSteps steps = RecordedSteps.read(Files.write(directory.resolve("modes.csv"), lines));

        double[] drawn = Steps.decodes(steps.law(1), 8, 1_000, 400);
        long slow = Arrays.stream(drawn).filter(seconds -> seconds > 0.0165).count();
        assertThat(slow).isBetween(120L, 280L);
        assertThat(Arrays.stream(drawn).max().orElseThrow()).isLessThan(0.03);
        assertThat(drawn).isEqualTo(Steps.decodes(steps.law(1), 8, 1_000, 400));
        assertThat(drawn).isNotEqualTo(Steps.decodes(steps.law(2), 8, 1_000, 400));
    }

    /** Real recordings: drawn from the odd lines, the even lines' sum is met, and most of them one by one. */
    @Test
    void real_recordings_are_met_by_their_other_half() throws IOException {
        Path folder = Path.of(System.getProperty("fpm.shared.data", "absent"), "fpm");
        assumeTrue(Files.isDirectory(folder), "SKIPPED: no recorded frames in " + folder);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".csv"))
                    .sorted()
                    .toList()) {
                meet(file);
            }
        }
    }

    private void meet(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<String> odd = new ArrayList<>(List.of(lines.get(0)));
        RecordedColumns columns = RecordedColumns.of(file, lines.get(0));
        List<RecordedStep> even = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            if (i % 2 == 1) {
                odd.add(lines.get(i));
            } else {
                even.add(columns.parse(file + " line " + (i + 1), lines.get(i)));
            }
        }
        RecordedSteps steps = RecordedSteps.read(Files.write(directory.resolve("odd.csv"), odd));
        RecordedLaw law = (RecordedLaw) steps.law(1);
        double[] errors = even.stream()
                .filter(step -> step.hasWork() && step.seconds() < 8 * steps.cost(step.features()))
                .mapToDouble(step -> law.draw(step.features(), step.place()) / step.seconds() - 1)
                .sorted()
                .toArray();
        double[] sizes = Arrays.stream(errors).map(Math::abs).sorted().toArray();
        System.out.printf(
                "%-60s %5d steps, a draw is off by %+.1f %% in the median, by %.1f %% half the time%n",
                file.getFileName(), errors.length, 100 * errors[errors.length / 2], 100 * sizes[sizes.length / 2]);
        assertThat(errors[errors.length / 2]).as(file + ": median error").isBetween(-0.03, 0.03);
        assertThat(sizes[sizes.length / 2])
                .as(file + ": median size of the error")
                .isLessThan(0.15);
    }

    @Test
    void bad_recordings_end_with_file_line_and_reason() throws IOException {
        assertThatThrownBy(() -> RecordedSteps.read(write(""))).hasMessageContaining("empty");
        assertThatThrownBy(() -> RecordedSteps.read(write("a,b\n1,2\n"))).hasMessageContaining("no column");
        assertThatThrownBy(() -> RecordedSteps.read(write(HEADER + "\n1,2,3\n")))
                .hasMessageContaining("line 2 has 3 cells");
        assertThatThrownBy(() -> RecordedSteps.read(write(HEADER + "\n1,1,0,0,0,x\n")))
                .hasMessageContaining("line 2: 'x' is not a number");
        assertThatThrownBy(() -> RecordedSteps.read(write(HEADER + "\n1,1,0,0,0,-4\n")))
                .hasMessageContaining("negative");
        assertThatThrownBy(() -> RecordedSteps.read(write(HEADER + "\n1,1,0,0,0,4\n")))
                .hasMessageContaining("at least are needed");
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("recording.csv"), text);
    }
}
