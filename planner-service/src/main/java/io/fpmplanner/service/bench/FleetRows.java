/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.bench.LiveRun.Publishers;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Rows of a fleet of 10,000 ranks with few frames each: what costs then is the number of ranks and pools. */
final class FleetRows {
    private static final int SOCKETS = 100;
    private static final int WORKERS_EACH = 100;
    private static final double FRAMES_PER_SECOND = 20_000;
    private static final int HIGH_WATER_MARK = 100_000;
    /** What runs once a second, over a hundred pools, is not all compiled after 20 s. */
    private static final int WARM_UPS = 3;

    /** Windows of ranks reach back so far. */
    private static final double WINDOW_SECONDS = 22;

    private static final double FIXED_MEGABYTES = 150;
    private static final List<String> SETTINGS = List.of("handoffFrames=65536");
    private static final String TICK = "fpm_planner_tick_duration_seconds_";
    private static final String PAUSE = "fpm_planner_tick_pause_seconds_";

    private FleetRows() {}

    private static LiveRun start(Effort effort, int pools) throws Exception {
        return new LiveRun(
                new Publishers(effort.of(SOCKETS), effort.of(WORKERS_EACH), false, HIGH_WATER_MARK), pools, SETTINGS);
    }

    /** Ticks are looked at twice: as they are, and while somebody scrapes again and again, whose garbage is theirs too. */
    static Figures fleet(Effort effort) throws Exception {
        try (LiveRun run = start(effort, effort.of(SOCKETS))) {
            String metrics = run.service().url() + "/metrics";
            double rate = effort.rate(FRAMES_PER_SECOND);
            HttpClient client = HttpClient.newHttpClient();
            run.publish(rate, effort.warmUpSeconds(), WARM_UPS * effort.warmUpSeconds());
            Ticks before = Ticks.of(scrape(client, metrics));
            LiveRun.Stretch alone = run.publish(rate, 0.1, effort.seconds());
            Ticks unscraped = Ticks.of(scrape(client, metrics)).since(before);

            CompletableFuture<LiveRun.Stretch> publishing =
                    CompletableFuture.supplyAsync(() -> publish(run, rate, effort));
            List<Double> scrapes = new ArrayList<>();
            before = Ticks.of(scrape(client, metrics));
            String last;
            do {
                long start = System.nanoTime();
                last = scrape(client, metrics);
                scrapes.add((System.nanoTime() - start) / 1e6);
                Thread.sleep(100);
            } while (!publishing.isDone());
            scrapes.sort(null);
            Ticks scraped = Ticks.of(last).since(before);
            return new Figures()
                    .put("ranks", ranks(run))
                    .count("lost", alone.lost() + publishing.join().lost())
                    .put("tick, ms of one core", unscraped.busyMillis())
                    .put("of that looking at pools, ms", unscraped.lookMillis())
                    .put("tick, ms", unscraped.millis())
                    .put("cores", alone.cores())
                    .put("scrape, ms", scrapes.get(scrapes.size() / 2))
                    .put("scrape, longest, ms", scrapes.get(scrapes.size() - 1))
                    .put("scrape, kB", last.length() / 1e3)
                    .put("scraped 8 times a second: tick, ms of one core", scraped.busyMillis())
                    .put("scraped 8 times a second: cores", publishing.join().cores());
        }
    }

    private static LiveRun.Stretch publish(LiveRun run, double rate, Effort effort) {
        try {
            return run.publish(rate, 0.1, effort.seconds());
        } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    /**
     * Ticks so far.
     *
     * @param count of them
     * @param seconds that they took, from the first look at a pool to the plan
     * @param lookSeconds in which pools were looked at, interruptions and collections of garbage included
     * @param planSeconds processor time of the thread that made plans
     */
    private record Ticks(double count, double seconds, double lookSeconds, double planSeconds) {
        static Ticks of(String exposition) {
            return new Ticks(
                    value(exposition, TICK + "count"),
                    value(exposition, TICK + "sum"),
                    value(exposition, PAUSE + "sum"),
                    planningSeconds());
        }

        Ticks since(Ticks before) {
            return new Ticks(
                    count - before.count,
                    seconds - before.seconds,
                    lookSeconds - before.lookSeconds,
                    planSeconds - before.planSeconds);
        }

        double millis() {
            return 1e3 * seconds / Math.max(1, count);
        }

        double lookMillis() {
            return 1e3 * lookSeconds / Math.max(1, count);
        }

        double busyMillis() {
            return 1e3 * (lookSeconds + planSeconds) / Math.max(1, count);
        }
    }

    /** CPU time of the thread that makes plans. */
    private static double planningSeconds() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        double seconds = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith(PlannerService.PLANNING_THREAD)) {
                seconds += threads.getThreadCpuTime(thread.getThreadId()) / 1e9;
            }
        }
        return seconds;
    }

    private static int ranks(LiveRun run) {
        return run.service().board().current().pools().stream()
                .flatMap(pool -> pool.pool().workers().stream())
                .mapToInt(worker -> worker.ranks().size())
                .sum();
    }

    private static String scrape(HttpClient client, String url) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static double value(String exposition, String name) {
        return exposition
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    static Figures memory(Effort effort) throws Exception {
        try (LiveRun run = start(effort, 1)) {
            double fill = effort.scale() < 1 ? effort.seconds() : Math.max(WINDOW_SECONDS, effort.seconds());
            LiveRun.Stretch stretch = run.publish(effort.rate(FRAMES_PER_SECOND), effort.warmUpSeconds(), fill);
            int ranks = ranks(run);
            double residentBefore = residentMegabytes();
            System.gc();
            Runtime heap = Runtime.getRuntime();
            double live = (heap.totalMemory() - heap.freeMemory()) / 1e6;
            double outside = residentMegabytes() - heap.totalMemory() / 1e6;
            return new Figures()
                    .put("ranks", ranks)
                    .count("lost", stretch.lost())
                    .put("live heap, MB", live)
                    .put("heap at most, MB", heap.maxMemory() / 1e6)
                    .put("resident, MB", residentBefore)
                    .put("kB per rank beyond 150 MB", (live + Math.max(0, outside) - FIXED_MEGABYTES) * 1e3 / ranks);
        }
    }

    /** Of this process, as Linux counts it; NaN elsewhere. */
    private static double residentMegabytes() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return Double.NaN;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) * 1024 / 1e6)
                .findFirst()
                .orElse(Double.NaN);
    }
}
