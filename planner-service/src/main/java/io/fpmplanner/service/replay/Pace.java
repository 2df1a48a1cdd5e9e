/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import java.util.function.LongSupplier;

/** Holds frames back until it is their turn at a given speed. Not threadsafe. */
final class Pace {
    /** As fast as possible. */
    static final double MAX = Double.POSITIVE_INFINITY;

    private final double speed;
    private final LongSupplier nanoTime;
    private final Sleeper sleeper;
    private boolean started;
    private long startNanos;
    private long firstFrameNanos;

    /** Waits; the way time passes is the caller's. */
    @FunctionalInterface
    interface Sleeper {
        void sleep(long nanos) throws InterruptedException;
    }

    /**
     * A pace that begins with its first frame.
     *
     * @param speed how many times faster than recorded, &gt; 0
     */
    Pace(double speed, LongSupplier nanoTime, Sleeper sleeper) {
        this.speed = speed;
        this.nanoTime = nanoTime;
        this.sleeper = sleeper;
    }

    /** Whether it never waits. */
    boolean isMax() {
        return speed == MAX;
    }

    /** Returns when a frame of that time is due; times that go back are due at once. */
    void await(long frameNanos) throws InterruptedException {
        if (isMax()) {
            return;
        }
        if (!started) {
            started = true;
            startNanos = nanoTime.getAsLong();
            firstFrameNanos = frameNanos;
        }
        long due = startNanos + (long) ((frameNanos - firstFrameNanos) / speed);
        long wait = due - nanoTime.getAsLong();
        if (wait > 0) {
            sleeper.sleep(wait);
        }
    }

    /**
     * Reads {@code max}, a factor such as {@code 10x}, or 1 for the original speed.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    static double parse(String text) {
        if (text.equalsIgnoreCase("max")) {
            return MAX;
        }
        try {
            double factor = Double.parseDouble(text.replaceFirst("[xX]$", ""));
            if (factor > 0 && factor < MAX) {
                return factor;
            }
        } catch (NumberFormatException e) {
            // Answered below.
        }
        throw new IllegalArgumentException("must be max or a factor above 0 such as 1 or 10x, was '" + text + "'");
    }
}
