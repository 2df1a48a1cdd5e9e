/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows how well step times of a recording are predicted. A file that is no recording does not stop the others. */
@Command(
        name = "replay",
        description = "Feeds recorded FPM through the planner and scores its predictions, one step ahead.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Recordings are CSV files, one frame a row, of Dynamo with vLLM (latency_ms) or TensorRT-LLM (wall_time_s)."
        })
public final class ReplayCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Recordings of ForwardPassMetrics.")
    private List<Path> files = List.of();

    @Option(names = "--json", description = "Print one JSON document: {\"recordings\": [...]}; errors are fractions.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Replay replay = new Replay(System::nanoTime);
        ReplayReport report = new ReplayReport();
        for (Path file : files) {
            try {
                List<RecordedFrame> frames = RecordingReader.read(file);
                err.println("replaying " + file + ": " + frames.size() + " steps");
                report.add(replay.score(file.toString(), frames));
            } catch (RecordingException e) {
                err.println("replay: " + e.getMessage());
                report.add(e);
            }
        }
        out.print(json ? report.json().toPrettyString() + System.lineSeparator() : report.table());
        out.flush();
        return report.hasFailures() ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.OK;
    }
}
