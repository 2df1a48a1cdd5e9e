/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.service.recording.Recording;
import io.fpmplanner.service.recording.RecordingException;
import io.fpmplanner.service.recording.RecordingReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares the learner with baselines on recordings. A file that is no recording does not stop the others. */
@Command(
        name = "backtest",
        description = "Compares the learner with baselines on recorded FPM, so that you can trust or refuse it.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Recordings are frame logs of 'planner record', dynamo.fpm.trace.v1 or other JSON with one frame a line, or CSV of"
                    + " Dynamo with vLLM (latency_ms) or TensorRT-LLM (wall_time_s); each may be compressed with gzip.",
            "Learners:",
            "  fpm-planner                   ours",
            "  last-value                    the last step of the same regime",
            "  dynamo-ols, dynamo-ols-split  the regressions of Dynamo's Python planner",
            "  dynamo-nnls                   Dynamo's Rust model without measured tables",
            "  dynamo-nnls-split             the first form of that"
        })
public final class BacktestCommand implements Callable<Integer> {
    private static final Pattern PAGE = Pattern.compile("(?i).*\\.html?");

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Recordings of ForwardPassMetrics.")
    private List<Path> files = List.of();

    @Option(
            names = "--json",
            description = "Print one JSON document: {\"recordings\": [...]}, an entry for each recording and learner;"
                    + " errors are fractions.")
    private boolean json;

    @Option(
            names = "--html",
            paramLabel = "REPORT.html",
            description = "Also write a report with plots, as one page that needs no other file or host.")
    private @Nullable Path html;

    @Option(
            names = "--noise",
            description = "Also learn from times with 4%% of noise and 0.5%% tenfold stragglers added.")
    private boolean noise;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        checkTarget();
        BacktestReport report = run();
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? BacktestJson.of(report).toPrettyString() + System.lineSeparator() : BacktestTable.of(report));
        out.flush();
        if (html != null) {
            writePage(html, report);
        }
        return report.failures().isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.USAGE;
    }

    /** Before the work, and so that no recording is overwritten by mistake. */
    private void checkTarget() {
        if (html == null) {
            return;
        }
        Path folder = html.toAbsolutePath().getParent();
        if (!PAGE.matcher(html.toString()).matches()) {
            throw new ParameterException(
                    spec.commandLine(), "--html needs the name of a page to write, such as report.html, was " + html);
        }
        if (Files.isDirectory(html) || folder == null || !Files.isDirectory(folder)) {
            throw new ParameterException(spec.commandLine(), "--html: no page can be written at " + html);
        }
    }

    private BacktestReport run() throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        List<StepSeries> recordings = new ArrayList<>();
        List<RecordingException> failures = new ArrayList<>();
        for (Path file : files) {
            try (Recording recording = Recording.open(file)) {
                recordings.add(StepSeries.of(file.toString(), recording));
                RecordingReport report = recording.report();
                if (!report.isClean()) {
                    err.println("backtest: " + file + ": " + report.frames() + " frames" + report.remarks());
                }
            } catch (RecordingException e) {
                err.println("backtest: " + e.getMessage());
                failures.add(e);
            }
        }
        Backtest backtest = new Backtest(System::nanoTime, noise);
        List<RecordingResult> results = new ArrayList<>();
        for (int i = 0; i < recordings.size(); i++) {
            StepSeries series = recordings.get(i);
            err.println("backtesting " + series.file() + ": " + series.size() + " steps");
            err.flush();
            results.add(backtest.compare(series, following(recordings, i)));
        }
        return new BacktestReport(results, failures);
    }

    /** The last recording is followed by the first one. */
    private static Optional<StepSeries> following(List<StepSeries> recordings, int index) {
        return recordings.size() > 1 ? Optional.of(recordings.get((index + 1) % recordings.size())) : Optional.empty();
    }

    private void writePage(Path page, BacktestReport report) throws IOException {
        try {
            Files.writeString(page, HtmlReport.of(report));
        } catch (IOException e) {
            throw new IOException("no page could be written: " + e, e);
        }
        spec.commandLine().getErr().println("report written to " + page);
    }
}
