/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The service's time line: the wall clock once at the start, plus what {@link System#nanoTime()} has advanced since. It
 * never jumps, whatever is done to the wall clock. Threadsafe.
 */
public final class ServiceClock implements LongSupplier {
    private final long originNanos;
    private final long startNanos = System.nanoTime();

    /** Starts at the present wall-clock time. */
    public ServiceClock() {
        Instant now = Instant.now();
        this.originNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    /** Nanoseconds since the Unix epoch. */
    @Override
    public long getAsLong() {
        return originNanos + (System.nanoTime() - startNanos);
    }
}
