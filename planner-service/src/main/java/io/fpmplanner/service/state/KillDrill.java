/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import io.fpmplanner.core.planner.PlannerMemory;
import io.fpmplanner.service.process.OwnJava;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Kills (SIGKILL) processes in which many writers save states without a pause, each in a directory of its own, again and
 * again at random moments, and reads after each kill what every writer left.
 */
public final class KillDrill {
    /** In one process, since a process takes far longer to start than a writer to be caught in the middle of a save. */
    private static final int WRITERS = 20;

    private static final int LONGEST_MILLIS = 200;

    private final Path directory;
    private final SplittableRandom random;
    private final long[] saved = new long[WRITERS];

    /** Kills at moments drawn from the seed; the directory must exist and be empty. */
    public KillDrill(Path directory, long seed) {
        this.directory = directory;
        this.random = new SplittableRandom(seed);
        Arrays.fill(saved, -1);
    }

    /**
     * What came of it.
     *
     * @param kills writers killed
     * @param processes that they were killed in
     * @param snapshots states that were saved in all
     * @param torn times the newest file could not be used and the one before was
     * @param lost times less was found than the writer had said it had saved
     * @param corrupt times what was found could not be read or was not of one piece
     */
    public record Result(int kills, int processes, long snapshots, int torn, int lost, int corrupt) {}

    private int torn;
    private int lost;
    private int corrupt;
    private long snapshots;

    /** Kills so many writers. */
    public Result run(int kills) throws IOException, InterruptedException {
        int processes = 0;
        for (int left = kills; left > 0; left -= WRITERS) {
            int writers = Math.min(left, WRITERS);
            for (int i = 0; i < writers; i++) {
                Files.createDirectories(directory(i));
            }
            killOnce(writers);
            processes++;
            for (int i = 0; i < writers; i++) {
                look(i);
            }
        }
        return new Result(kills, processes, snapshots, torn, lost, corrupt);
    }

    private Path directory(int writer) {
        return directory.resolve("writer-" + writer);
    }

    private void look(int writer) {
        List<String> complaints = new ArrayList<>();
        StateFiles.Found found = new StateFiles(directory(writer), Disk.REAL).load();
        torn += found.complaints().size();
        try {
            PlannerMemory memory = MemoryJson.read(found.content().orElseThrow(), complaints);
            boolean whole = complaints.isEmpty()
                    && memory.pools().size() == StateWriter.POOLS
                    && memory.pools().stream().allMatch(pool -> pool.fleet().desired() == memory.takenNanos());
            corrupt += whole ? 0 : 1;
            lost += memory.takenNanos() < saved[writer] ? 1 : 0;
            saved[writer] = memory.takenNanos();
        } catch (IOException | RuntimeException e) {
            corrupt++;
        }
    }

    /** Starts a process, lets each writer save at least once, and kills it a random moment later. */
    private void killOnce(int writers) throws IOException, InterruptedException {
        long before = sum(writers);
        Process process = start(writers);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            boolean[] heard = new boolean[writers];
            for (int missing = writers; missing > 0; ) {
                String line = lines.readLine();
                if (line == null) {
                    throw new IOException("the process that saves states ended by itself");
                }
                int writer = said(line);
                missing -= heard[writer] ? 0 : 1;
                heard[writer] = true;
            }
            Thread.sleep(random.nextInt(LONGEST_MILLIS), random.nextInt(1_000_000));
            // By its handle: the process itself would close its output with what is in the pipe still.
            process.toHandle().destroyForcibly();
            process.waitFor();
            // Lines that were written before the kill are in the pipe; a torn last one is not counted.
            String held = lines.readLine();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said(held);
                held = line;
            }
        } finally {
            process.destroyForcibly();
        }
        snapshots += sum(writers) - before;
    }

    /** Takes note of a line: the writer, which it returns, and the number of what it saved. */
    private int said(String line) {
        int space = line.indexOf(' ');
        int writer = Integer.parseInt(line.substring(0, space));
        saved[writer] = Math.max(saved[writer], Long.parseLong(line.substring(space + 1)));
        return writer;
    }

    private long sum(int writers) {
        return Arrays.stream(saved, 0, writers).sum();
    }

    private Process start(int writers) throws IOException {
        List<String> command = OwnJava.command(
                List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx128m"), StateWriter.class.getName());
        for (int i = 0; i < writers; i++) {
            command.add(directory(i).toString());
            command.add(Long.toString(saved[i] + 1));
        }
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
