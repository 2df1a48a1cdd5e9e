/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import com.sun.management.ThreadMXBean;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.GpuSpec;
import io.fpmplanner.sim.engine.RooflineLaw;
import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.engine.TransformerSpec;
import io.fpmplanner.sim.fleet.PoolSpec.Replicas;
import io.fpmplanner.sim.law.ArtefactLaw;
import io.fpmplanner.sim.law.Artefacts;
import io.fpmplanner.sim.law.KernelLaw;
import io.fpmplanner.sim.law.KernelProfile;
import io.fpmplanner.sim.law.ServingOverhead;
import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.LengthDistribution;
import io.fpmplanner.sim.workload.RequestStream;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/**
 * Processor time and memory that a simulated worker-second costs, printed. After {@code mvn test-compile}:
 *
 * <pre>java -cp sim-data/target/classes:sim-data/target/test-classes io.fpmplanner.sim.fleet.FleetSpeed</pre>
 */
public final class FleetSpeed {
    private static final long SECOND = 1_000_000_000L;
    private static final int ROUNDS = 3;
    private static final EngineSettings H100 = EngineSettings.vllm(2048, 256, 400_000);

    private record Load(String name, int workers, double rateEach, int input, int output, int seconds) {}

    private FleetSpeed() {}

    public static void main(String[] arguments) {
        StepTimeLaw kernels = new KernelLaw(KernelProfile.H100_LLAMA_8B, ServingOverhead.singleGpu(5e-4, 0));
        for (int round = 1; round <= ROUNDS; round++) {
            System.out.println("round " + round + " of " + ROUNDS);
            run(new Load("8 H100, 5 requests/s each", 8, 5, 1000, 300, 300), H100, seed -> kernels);
            run(new Load("8 H100, overloaded", 8, 20, 1000, 300, 300), H100, seed -> kernels);
            run(
                    new Load("8 H100, overloaded, artefacts", 8, 20, 1000, 300, 300),
                    H100,
                    seed -> new ArtefactLaw(kernels, Artefacts.production(), seed));
            run(new Load("8 H100, batches of 256 decodes", 8, 25, 200, 600, 120), H100, seed -> kernels);
            run(new Load("64 H100, 5 requests/s each", 64, 5, 1000, 300, 60), H100, seed -> kernels);
            run(
                    new Load("8 L40S by roofline", 8, 5, 1200, 120, 300),
                    EngineSettings.vllm(512, 128, 180_000),
                    seed -> new RooflineLaw(TransformerSpec.LLAMA_3_1_8B, GpuSpec.L40S));
        }
    }

    private static void run(Load load, EngineSettings engine, LongFunction<StepTimeLaw> law) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] frames = {0};
        Fleet fleet = fleet(load, engine, law, frames);
        long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        long nanos = threads.getCurrentThreadCpuTime();
        fleet.advanceTo(load.seconds() * SECOND);
        nanos = threads.getCurrentThreadCpuTime() - nanos;
        bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - bytes;
        double workerSeconds = (double) load.workers() * load.seconds();
        System.out.printf(
                Locale.ROOT,
                "%-32s %7.1f us a worker-second (1/%,d), %4.0f frames a worker-second, %4.0f bytes a frame%n",
                load.name(),
                nanos * 1e-3 / workerSeconds,
                Math.round(workerSeconds * 1e9 / nanos),
                frames[0] / workerSeconds,
                (double) bytes / frames[0]);
    }

    private static Fleet fleet(Load load, EngineSettings engine, LongFunction<StepTimeLaw> law, long[] frames) {
        RequestStream requests = new RequestStream(
                ArrivalRate.constant(load.rateEach() * load.workers()),
                LengthDistribution.logNormal(load.input(), 0.5, 16, 8_000),
                LengthDistribution.logNormal(load.output(), 0.4, 2, 2_000),
                0,
                1);
        Replicas replicas = new Replicas(load.workers(), load.workers(), load.workers(), 0);
        PoolSpec pool = new PoolSpec("agg", engine, law, Router.LEAST_LOADED, replicas, null);
        return new Fleet(
                new FleetSettings(List.of(pool), List.of(new Traffic("agg", requests)), 0, 10 * SECOND, 1),
                new FrameChannels((origin, frame, nowNanos) -> frames[0]++),
                new RequestLedger());
    }
}
