/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.bench.LiveRun.Publishers;
import io.fpmplanner.service.bench.LiveRun.Stretch;
import java.util.List;

/** Rows of the service fed over sockets. */
final class StreamRows {
    private static final int HIGH_WATER_MARK = 1_000_000;
    private static final int USUAL_HIGH_WATER_MARK = 1_000;
    private static final int ENDPOINTS = 1_000;
    private static final double FRAMES_PER_SECOND = 100_000;
    private static final double MANY_FRAMES_PER_SECOND = 400_000;
    private static final double REQUESTS_PER_SECOND = 1_000;
    /** Room for half a second, since the publisher, the planner and whoever asks share two cores. */
    private static final List<String> WIDE = List.of("handoffFrames=262144");

    private StreamRows() {}

    static Figures endpoint(Effort effort) throws Exception {
        try (LiveRun run = new LiveRun(new Publishers(1, 64, false, HIGH_WATER_MARK), 1, WIDE)) {
            Stretch stretch =
                    run.publish(effort.rate(MANY_FRAMES_PER_SECOND), effort.warmUpSeconds(), effort.seconds());
            return stream(new Figures(), run, stretch);
        }
    }

    static Figures jeromq(Effort effort) throws Exception {
        Figures figures = new Figures();
        double[] cores = new double[2];
        for (int i = 0; i < 2; i++) {
            String transport = i == 0 ? "selector" : "jeromq";
            try (LiveRun run = new LiveRun(
                    new Publishers(1, 64, false, HIGH_WATER_MARK),
                    1,
                    List.of("handoffFrames=262144", "zeromq.transport=" + transport))) {
                Stretch stretch = run.publish(effort.rate(FRAMES_PER_SECOND), effort.warmUpSeconds(), effort.seconds());
                cores[i] = stretch.cores() / stretch.framesPerSecond() * FRAMES_PER_SECOND;
                figures.put((i == 0 ? "own" : "JeroMQ") + ", cores per 100,000 frames/s", cores[i]);
                figures.count((i == 0 ? "own" : "JeroMQ") + ", lost", stretch.lost());
            }
        }
        return figures.put("JeroMQ, times own", cores[1] / cores[0]);
    }

    static Figures many(Effort effort, boolean ipc) throws Exception {
        Publishers publishers = new Publishers(effort.of(ENDPOINTS), 1, ipc, USUAL_HIGH_WATER_MARK);
        try (LiveRun run = new LiveRun(publishers, 1, WIDE)) {
            Stretch stretch = run.publish(effort.rate(FRAMES_PER_SECOND), effort.warmUpSeconds(), effort.seconds());
            return stream(new Figures(), run, stretch);
        }
    }

    private static Figures stream(Figures figures, LiveRun run, Stretch stretch) {
        Latencies latencies = run.meter().latencies();
        figures.put("frames/s", stretch.framesPerSecond())
                .count("sent", stretch.sent())
                .count("dropped by the publisher", stretch.dropped())
                .count("lost", stretch.lost())
                .count("lost while warming up", run.lostInWarmUp())
                .put("cores", stretch.cores())
                .put("cores per 100,000 frames/s", stretch.cores() / stretch.framesPerSecond() * 1e5)
                .put("p50 send to model, ms", latencies.percentileMillis(0.5))
                .put("p99 send to model, ms", latencies.percentileMillis(0.99))
                .put("p99.9 send to model, ms", latencies.percentileMillis(0.999));
        return stretch.noise().into(figures);
    }

    static Figures dead(Effort effort) throws Exception {
        // Ports below 1024 of the loopback address: nobody listens on nearly all of them.
        try (PlannerService service =
                LiveRun.start(List.of("tcp://127.0.0.1:1-" + effort.of(ENDPOINTS)), 1, List.of(), new FrameMeter())) {
            Thread.sleep((long) (effort.warmUpSeconds() * 1000));
            double before = LiveRun.cpuSeconds();
            Thread.sleep((long) (effort.seconds() * 1000));
            double cores = (LiveRun.cpuSeconds() - before) / effort.seconds();
            return new Figures()
                    .put("cores", cores)
                    .put("pools planned", service.board().current().pools().size());
        }
    }

    static Figures rest(Effort effort) throws Exception {
        try (LiveRun run = new LiveRun(new Publishers(1, 64, false, HIGH_WATER_MARK), 1, WIDE)) {
            double rate = effort.rate(FRAMES_PER_SECOND);
            run.publish(rate, effort.warmUpSeconds(), 1);
            try (Child asking = Child.start(
                    List.of("-Xmx128m", "-XX:+UseSerialGC"),
                    List.of(
                            "bench",
                            "ask",
                            "--port=" + run.service().port(),
                            "--pool=pool-0",
                            "--rate=" + effort.rate(REQUESTS_PER_SECOND),
                            "--warm-up=" + effort.warmUpSeconds(),
                            "--seconds=" + effort.seconds()))) {
                Stretch stretch = run.publish(rate, effort.warmUpSeconds(), effort.seconds());
                String[] words = asking.line().split(" ", -1);
                Figures figures = new Figures()
                        .put("answers/s", Double.parseDouble(words[1]) / effort.seconds())
                        .put("errors", Double.parseDouble(words[2]))
                        .put("p50, ms", Double.parseDouble(words[3]))
                        .put("p99, ms", Double.parseDouble(words[4]))
                        .put("p99.9, ms", Double.parseDouble(words[5]))
                        .put("frames/s", stretch.framesPerSecond())
                        .count("lost", stretch.lost())
                        .put("cores", stretch.cores());
                return stretch.noise().into(figures);
            }
        }
    }
}
