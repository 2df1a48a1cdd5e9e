/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.planner.PlannerMemory;
import io.fpmplanner.service.config.StateSettings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what a planner learned in a directory and gives it back after a restart. What cannot be read makes pools start
 * cold, what cannot be written is tried again: neither ever keeps the planner from working. All methods block; one thread
 * at a time.
 */
public final class StateKeeper implements AutoCloseable {
    /**
     * A fleet may have become another one in the meantime. Younger than this, what was ordered and there is remembered, and
     * can make a fleet keep its size until its telemetry is back; older, it says nothing.
     */
    static final double FLEET_KNOWN_SECONDS = 3600;

    private static final String LOCK = "planner.lock";
    private static final Logger log = LoggerFactory.getLogger(StateKeeper.class);

    private final Path directory;
    private final StateFiles files;
    private final StateMetrics metrics;
    private @Nullable FileChannel lock;
    private String complaint = "";

    /** Keeps it in the directory of the settings, which must name one. */
    public StateKeeper(StateSettings settings, io.micrometer.core.instrument.MeterRegistry registry) {
        this(settings, registry, Disk.REAL);
    }

    StateKeeper(StateSettings settings, io.micrometer.core.instrument.MeterRegistry registry, Disk disk) {
        this.directory = settings.directory().orElseThrow();
        this.files = new StateFiles(directory, disk);
        this.metrics = new StateMetrics(registry);
    }

    /** Why nothing can be kept there, as far as it shows without writing anything; empty if it can, or if nothing is to be kept. */
    public static Optional<String> unusable(StateSettings settings) {
        if (settings.directory().isEmpty()) {
            return Optional.empty();
        }
        Path directory = settings.directory().get().toAbsolutePath();
        Path nearest = directory;
        while (!Files.exists(nearest) && nearest.getParent() != null) {
            nearest = nearest.getParent();
        }
        if (!Files.isDirectory(nearest)) {
            return Optional.of("state.directory " + directory + ": " + nearest + " is no directory");
        }
        return Files.isWritable(nearest)
                ? Optional.empty()
                : Optional.of("state.directory " + directory + ": " + nearest + " cannot be written to");
    }

    /**
     * Gives a fresh planner what was learned before, as far as it is of its pools.
     *
     * @param nowNanos the present, nanoseconds since the Unix epoch
     */
    public void restore(Planner planner, long nowNanos) {
        long startNanos = System.nanoTime();
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            log.atWarn()
                    .addKeyValue("directory", directory)
                    .addKeyValue("why", e)
                    .log("state cannot be kept");
        }
        takeLock();
        StateFiles.Found found = files.load();
        List<String> complaints = new ArrayList<>(found.complaints());
        PlannerMemory memory = new PlannerMemory(nowNanos, List.of());
        if (found.content().isPresent()) {
            try {
                memory = MemoryJson.read(found.content().get(), complaints).notAfter(nowNanos);
            } catch (IOException e) {
                complaints.add(directory.resolve(StateFiles.NEWEST) + " " + e.getMessage());
            }
        }
        double ageSeconds = (nowNanos - memory.takenNanos()) / 1e9;
        List<PlannerMemory.Outcome> outcomes = planner.restore(memory, ageSeconds <= FLEET_KNOWN_SECONDS);
        complaints.forEach(each -> log.atWarn().addKeyValue("why", each).log("state not restored"));
        metrics.restored(outcomes);
        long warm = outcomes.stream()
                .filter(outcome -> outcome != PlannerMemory.Outcome.COLD)
                .count();
        log.atInfo()
                .addKeyValue("directory", directory)
                .addKeyValue("poolsRestored", warm)
                .addKeyValue("poolsCold", Collections.frequency(outcomes, PlannerMemory.Outcome.COLD))
                .addKeyValue("ageSeconds", Math.round(ageSeconds))
                .addKeyValue("tookMillis", (System.nanoTime() - startNanos) / 1_000_000)
                .log(warm > 0 ? "state restored" : "no state to restore, starting cold");
    }

    /** Saves; a failure is logged once and counted, and what was saved before stays. Returns whether it was saved. */
    public boolean save(PlannerMemory memory) {
        try {
            if (!takeLock()) {
                metrics.failed();
                return false;
            }
            byte[] document = MemoryJson.write(memory);
            files.save(document);
            metrics.saved(document.length);
            if (!complaint.isEmpty()) {
                complaint = "";
                log.atInfo().addKeyValue("directory", directory).log("state is saved again");
            }
            return true;
        } catch (IOException | RuntimeException e) {
            metrics.failed();
            complain(e.toString());
            return false;
        }
    }

    /** Two planners that write the same files would each lose what the other saved; the second one waits. */
    private boolean takeLock() {
        if (lock != null) {
            return true;
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (channel.tryLock() != null) {
                lock = channel;
                return true;
            }
            complain("another planner keeps its state in this directory");
        } catch (OverlappingFileLockException e) {
            complain("another planner of this process keeps its state in this directory");
        } catch (IOException e) {
            complain(e.toString());
        }
        closeQuietly(channel);
        return false;
    }

    private void complain(String why) {
        if (!complaint.equals(why)) {
            complaint = why;
            log.atWarn()
                    .addKeyValue("directory", directory)
                    .addKeyValue("why", why)
                    .log("state cannot be saved; trying again");
        }
    }

    @Override
    public void close() {
        closeQuietly(lock);
        lock = null;
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            log.atDebug().addKeyValue("why", e).log("lock file could not be closed");
        }
    }
}
