/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.bench;

import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import java.io.IOException;
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

/**
 * What reading one payload of about 460 bytes costs, beside msgpack-core with String keys in the same run. With one payload
 * over and over again a processor foretells every branch; 1,024 of 64 workers are nearer to life.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class DecodeBenchmark {
    private static final int WORKERS = 64;

    /** Distinct payloads, a power of two. */
    @Param({"1", "1024"})
    public int payloads;

    private byte[][] declared = {};
    private byte[][] shuffled = {};
    private final FpmDecoder decoder = new FpmDecoder();
    private final FpmFrame frame = new FpmFrame();
    private final StringKeyReader reader = new StringKeyReader();
    private int next;

    @Setup
    public void encode() {
        declared = encode(new Payloads(false));
        shuffled = encode(new Payloads(true));
    }

    private byte[][] encode(Payloads source) {
        byte[][] encoded = new byte[payloads][];
        for (int i = 0; i < payloads; i++) {
            encoded[i] = source.next(i % WORKERS);
        }
        return encoded;
    }

    private int advance() {
        next = (next + 1) & (payloads - 1);
        return next;
    }

    @Benchmark
    public Object declaredOrder() {
        byte[] payload = declared[advance()];
        return accepted(decoder.decode(payload, 0, payload.length, frame));
    }

    @Benchmark
    public Object anyOrder() {
        byte[] payload = shuffled[advance()];
        return accepted(decoder.decode(payload, 0, payload.length, frame));
    }

    private FpmFrame accepted(Object reason) {
        if (reason != null) {
            throw new IllegalStateException("refused: " + reason);
        }
        return frame;
    }

    /** The yardstick. */
    @Benchmark
    public Object msgpackCoreStringKeys() throws IOException {
        reader.read(declared[advance()]);
        return reader;
    }
}
