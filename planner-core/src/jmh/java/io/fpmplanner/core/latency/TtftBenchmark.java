/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.PoolView;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a prediction of TTFT and ITL costs with a queue. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class TtftBenchmark {
    @Param({"0", "10000"})
    public long queued;

    private final LatencyPredictor predictor = new LatencyPredictor();
    private final LatencyQuery query = LatencyQuery.of(1_500);
    private PoolView pool = QueuedPool.view(0);

    @Setup
    public void learn() {
        pool = QueuedPool.view(queued);
    }

    /** A question about a plan that was worked out at its tick. */
    @Benchmark
    public LatencyPrediction answer() {
        return predictor.predict(pool, query);
    }

    /** Working out a plan: once a tick and pool. */
    @Benchmark
    public LatencyPrediction firstAnswer() {
        return new LatencyPredictor().predict(pool, query);
    }
}
