/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.record;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.service.ConfiguredSources;
import io.fpmplanner.service.ServiceClock;
import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.HttpSource;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.config.SourceSpec;
import io.fpmplanner.service.recording.FrameLogWriter;
import io.fpmplanner.service.recording.RecordingException;
import io.fpmplanner.service.source.EndpointCounts;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.SourceSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Records live frames to a file until told to stop, or until a time or size is reached. */
@Command(
        name = "record",
        description = "Records what live sources receive, byte by byte, for replay and backtest.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "The file grows by some 490 bytes a frame. It may be read while it is written, and gzip shrinks it a lot.",
            "Ends at SIGINT or SIGTERM, after --duration, or when the file has --max-bytes."
        })
public final class RecordCommand implements Callable<Integer> {
    private static final int RING_FRAMES = 1 << 14;
    private static final int TURN_MILLIS = 100;
    private static final int TURNS_PER_FLUSH = 10;
    private static final long END_SECONDS = 5;

    @Option(
            names = {"-o", "--out"},
            required = true,
            paramLabel = "FILE",
            description = "The frame log to write, by custom named *.fpmlog. A file that exists is not overwritten.")
    private Path out = Path.of("");

    @Option(names = "--append", description = "Go on with a frame log that exists.")
    private boolean append;

    @Option(
            names = {"-s", "--source"},
            paramLabel = "SOURCE",
            description =
                    "What to record, e.g. tcp://10.0.0.7:20380; may be repeated. The forms are those of a pool's sources.")
    private List<String> entries = List.of();

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Record the sources of all pools of this configuration.")
    private @Nullable Path config;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = Amounts.DurationConverter.class,
            description = "Stop after so long, e.g. 90s, 15m or 2h.")
    private @Nullable Duration duration;

    @Option(
            names = "--max-bytes",
            paramLabel = "SIZE",
            defaultValue = "1G",
            converter = Amounts.SizeConverter.class,
            description = "Stop before the file has more, e.g. 500M; by default 1G.")
    private long maxBytes;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException, IOException {
        PrintWriter err = spec.commandLine().getErr();
        LongSupplier clock = new ServiceClock();
        try {
            ServiceConfig sources = configuration(err);
            Recorder recorder = new Recorder(open(clock.getAsLong()));
            return record(new SourceSet(ConfiguredSources.of(sources, clock), RING_FRAMES, recorder), recorder, err);
        } catch (ConfigException e) {
            e.problems().forEach(problem -> err.println("config: " + problem));
        } catch (RecordingException e) {
            err.println("record: " + e.getMessage());
        } catch (FileAlreadyExistsException e) {
            err.println("record: " + out + " exists; choose another name, or --append to go on with it");
        } catch (NoSuchFileException e) {
            err.println("record: there is no " + e.getMessage());
        }
        return CommandLine.ExitCode.USAGE;
    }

    private FrameLogWriter open(long startedNanos) throws IOException, RecordingException {
        return append && Files.exists(out)
                ? FrameLogWriter.append(out, maxBytes, startedNanos)
                : FrameLogWriter.create(out, maxBytes, startedNanos);
    }

    private ServiceConfig configuration(PrintWriter err) throws ConfigException {
        if (entries.isEmpty() == (config == null)) {
            throw new ParameterException(spec.commandLine(), "Name sources by --source or by --config, one of them.");
        }
        if (config != null) {
            ServiceConfig loaded = ConfigLoader.load(Optional.of(config), System.getenv(), List.of())
                    .config();
            if (loaded.pools().stream()
                    .flatMap(pool -> pool.sources().stream())
                    .anyMatch(HttpSource.class::isInstance)) {
                err.println("record: frames that are posted over HTTP are not recorded");
            }
            return loaded;
        }
        try {
            List<SourceSpec> sources = entries.stream().map(SourceSpec::parse).toList();
            if (sources.stream().anyMatch(HttpSource.class::isInstance)) {
                throw new IllegalArgumentException("http cannot be recorded: nothing listens here");
            }
            return ServiceConfig.of(List.of(new PoolConfig(settings(), sources)));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--source: " + e.getMessage(), e);
        }
    }

    /** Nothing is planned; a pool is only what sources belong to. */
    private static PoolSettings settings() {
        return new PoolSettings(
                "record",
                "",
                Role.AGGREGATED,
                new SloTarget(1, 0.1, 0.9),
                EngineLimits.defaults(),
                new ScalingSettings(1, 1, 1, 0, 0),
                LivenessSettings.defaults());
    }

    private int record(SourceSet sources, Recorder recorder, PrintWriter err) throws InterruptedException, IOException {
        long startNanos = System.nanoTime();
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endBySignal(recorder, closed), "planner-shutdown"));
        List<EndpointStatus> endpoints;
        try {
            sources.start(() -> {});
            err.println("recording to " + out);
            err.flush();
            watch(sources, recorder, startNanos);
            // A closed source no longer tells its endpoints apart.
            endpoints = sources.endpoints();
        } finally {
            // First those who write, then what they write to.
            sources.close();
            recorder.close();
        }
        summary(endpoints, recorder, startNanos, err);
        closed.countDown();
        return recorder.failure().isPresent() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    /** Nobody wants the decoded frames; the rings are emptied so that nothing counts as dropped. */
    private void watch(SourceSet sources, Recorder recorder, long startNanos) throws InterruptedException {
        long limitNanos = duration == null ? Long.MAX_VALUE : duration.toNanos();
        boolean ended = false;
        for (int turn = 1; !ended; turn++) {
            long leftNanos = limitNanos - (System.nanoTime() - startNanos);
            ended = leftNanos <= 0
                    || recorder.awaitEnd(Math.min(TURN_MILLIS, 1 + TimeUnit.NANOSECONDS.toMillis(leftNanos)));
            sources.drain(RING_FRAMES, slot -> {});
            if (turn % TURNS_PER_FLUSH == 0) {
                recorder.flush();
            }
        }
    }

    /*
     * Called by the virtual machine when it ends, be it by a signal or because the command is done. After a signal the exit
     * code would be 143 or 130, which supervisors take for a failure.
     */
    private static void endBySignal(Recorder recorder, CountDownLatch closed) {
        if (closed.getCount() == 0) {
            return;
        }
        recorder.stop();
        try {
            if (closed.await(END_SECONDS, TimeUnit.SECONDS)
                    && recorder.failure().isEmpty()) {
                Runtime.getRuntime().halt(0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void summary(List<EndpointStatus> endpoints, Recorder recorder, long startNanos, PrintWriter err) {
        EndpointCounts all =
                endpoints.stream().map(EndpointStatus::counts).reduce(EndpointCounts.NONE, EndpointCounts::plus);
        err.printf(
                Locale.ROOT,
                "recorded %,d messages (%,d refused) in %.1f s: %s has %,d bytes%s%n",
                recorder.messages(),
                all.rejected().values().stream().mapToLong(count -> count).sum(),
                (System.nanoTime() - startNanos) / 1e9,
                out,
                recorder.bytes(),
                recorder.isFull() ? " and is full" : "");
        recorder.failure().ifPresent(problem -> err.println("record: nothing more can be written: " + problem));
        for (EndpointStatus endpoint : endpoints) {
            if (endpoint.counts().framesReceived() == 0) {
                err.println("record: nothing came from " + endpoint.endpoint()
                        + (endpoint.detail().isEmpty() ? "" : " (" + endpoint.detail() + ")"));
            }
        }
        err.flush();
    }
}
