/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import io.fpmplanner.service.recording.Recording;
import io.fpmplanner.service.recording.RecordingException;
import io.fpmplanner.service.recording.RecordingReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Shows how well step times of a recording are predicted. A file that is no recording does not stop the others. */
@Command(
        name = "replay",
        description = "Feeds recorded FPM through the planner and scores its predictions, one step ahead.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Recordings are frame logs of 'planner record', dynamo.fpm.trace.v1 or other JSON with one frame a line, or CSV"
                    + " of Dynamo with vLLM (latency_ms) or TensorRT-LLM (wall_time_s); each may be compressed with gzip."
        })
public final class ReplayCommand implements Callable<Integer> {
    /** Set by the launcher when standard error is a terminal, which Java cannot tell. */
    private static final String TERMINAL = "planner.terminal";

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Recordings of ForwardPassMetrics.")
    private List<Path> files = List.of();

    @Option(names = "--json", description = "Print one JSON document: {\"recordings\": [...]}; errors are fractions.")
    private boolean json;

    @Option(
            names = "--speed",
            paramLabel = "SPEED",
            defaultValue = "max",
            converter = SpeedConverter.class,
            description =
                    "1 for the original speed, 10x for ten times that, max (default) for as fast as possible. Where a"
                            + " recording has no times, steps follow each other in the time they took.")
    private double speed;

    @Option(
            names = "--progress",
            negatable = true,
            description = "Show a progress bar on standard error; by default if that is a terminal.")
    private @Nullable Boolean progress;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        ReplayReport report = new ReplayReport();
        for (Path file : files) {
            try (Recording recording = Recording.open(file)) {
                report.add(replay(file, recording, err));
            } catch (RecordingException e) {
                err.println("replay: " + e.getMessage());
                report.add(e);
            }
        }
        out.print(json ? report.json().toPrettyString() + System.lineSeparator() : report.table());
        out.flush();
        return report.hasFailures() ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.OK;
    }

    private RecordingScore replay(Path file, Recording recording, PrintWriter err)
            throws RecordingException, InterruptedException {
        Pace pace = new Pace(speed, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
        Replay replay = new Replay(System::nanoTime, pace);
        RecordingScore score;
        if (Objects.requireNonNullElseGet(progress, () -> Boolean.getBoolean(TERMINAL))) {
            ProgressBar bar =
                    new ProgressBar(err, System::nanoTime, ScoreFormat.fileName(file.toString()), !pace.isMax());
            try {
                score = replay.score(
                        file.toString(), recording, (frame, from) -> bar.advance(from.bytesRead(), from.fileBytes()));
            } finally {
                bar.clear();
            }
        } else {
            score = replay.score(file.toString(), recording, (frame, from) -> {});
        }
        RecordingReport found = recording.report();
        err.println("replayed " + file + ": " + score.total().frames() + " steps of " + found.frames() + " frames"
                + found.remarks());
        err.flush();
        return score;
    }

    static final class SpeedConverter implements ITypeConverter<Double> {
        @Override
        public Double convert(String value) {
            try {
                return Pace.parse(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
