/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.QueuedPool;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.pool.TokenLengths;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a what-if question costs; the fleet's size hardly matters beyond 8 ranks. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class WhatIfBenchmark {
    private static final double PER_REPLICA = 8;

    @Param({"1", "4", "100"})
    public int replicas;

    private final FleetTwin twin = FleetTwin.of(TwinPool.of(QueuedPool.view(0)), new SloTarget(2.0, 0.05, 0.9));

    private WhatIf question() {
        return WhatIf.of(
                Workload.poisson(
                        PER_REPLICA * replicas, TokenLengths.spread(1_000, 600), TokenLengths.spread(150, 100)),
                replicas);
    }

    /** Latency, attainment and utilisation. */
    @Benchmark
    public WhatIfAnswer ask() {
        return twin.ask(question());
    }

    /** With ranges. */
    @Benchmark
    public WhatIfRange askWithRange() {
        return twin.askWithRange(question(), 0.03);
    }

    /** With ranges, the highest rate and the smallest fleet, as REST asks by default. */
    @Benchmark
    public Object askAndSearch() {
        WhatIf question = question();
        return java.util.List.of(twin.askWithRange(question, 0.03), twin.search(question, 4 * replicas));
    }
}
