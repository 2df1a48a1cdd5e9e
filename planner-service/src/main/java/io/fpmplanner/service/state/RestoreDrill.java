/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.planner.PlannerMemory;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.config.StateSettings;
import io.fpmplanner.service.process.OwnJava;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How long a process that has just started takes to have back what was saved of many pools. */
public final class RestoreDrill {
    private static final long NOW = 1_700_000_000_000_000_000L;

    private RestoreDrill() {}

    /**
     * What came of it.
     *
     * @param bytes of the state
     * @param restored pools that were given back whole
     * @param seconds from opening the file to the last pool
     * @param cpuSeconds of these, in which the thread had a core, which a busy machine does not make longer
     */
    public record Result(long bytes, int restored, double seconds, double cpuSeconds) {}

    /** Saves a state of so many pools, with models and logs, and has a fresh process restore it. */
    public static Result run(Path directory, int pools) throws IOException, InterruptedException {
        new StateFiles(directory, Disk.REAL).save(MemoryJson.write(StateWriter.full(NOW, pools)));
        List<String> command = OwnJava.command(List.of("-Xmx512m", "-XX:+UseSerialGC"), RestoreDrill.class.getName());
        command.addAll(List.of(directory.toString(), Integer.toString(pools)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        if (process.waitFor() != 0 || lines.isEmpty()) {
            throw new IOException("the process that restores ended by itself");
        }
        String[] words = lines.get(lines.size() - 1).split(" ", -1);
        return new Result(
                Files.size(directory.resolve(StateFiles.NEWEST)),
                Integer.parseInt(words[0]),
                Long.parseLong(words[1]) / 1e9,
                Long.parseLong(words[2]) / 1e9);
    }

    /** In the fresh process: prints how many pools were restored, and the nanoseconds that took, in all and of a core. */
    public static void main(String[] arguments) throws ConfigException {
        Planner planner = new Planner(settings(Integer.parseInt(arguments[1])));
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long startCpu = threads.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        try (StateKeeper keeper = new StateKeeper(StateSettings.in(Path.of(arguments[0])), registry)) {
            keeper.restore(planner, NOW + 1);
        }
        long took = System.nanoTime() - start;
        long cpu = threads.getCurrentThreadCpuTime() - startCpu;
        double restored = registry.get("fpm_planner.state.restored.pools")
                .tag("outcome", PlannerMemory.Outcome.RESTORED.name().toLowerCase(java.util.Locale.ROOT))
                .gauge()
                .value();
        System.out.println((int) restored + " " + took + " " + cpu);
    }

    private static List<PoolSettings> settings(int pools) throws ConfigException {
        List<String> settings = new ArrayList<>();
        for (int i = 0; i < pools; i++) {
            settings.add("pools[" + i + "].id=pool-" + i);
            settings.add("pools[" + i + "].role=decode");
            settings.add("pools[" + i + "].sources=tcp://10.0.0.1:" + (20_000 + i));
        }
        return ConfigLoader.load(Optional.empty(), Map.of(), settings).config().pools().stream()
                .map(PoolConfig::settings)
                .toList();
    }
}
