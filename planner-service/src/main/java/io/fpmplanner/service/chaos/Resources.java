/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What this process holds, sampled over time, and whether that grows. One thread. */
final class Resources {
    /** Of the heap after a collection; caches that fill and code that is loaded late make some of it. */
    private static final double MOST_HEAP_GROWTH = 0.15;

    private static final double MOST_HEAP_GROWTH_BYTES = 4 << 20;
    private static final int MOST_MORE_DESCRIPTORS = 8;
    private static final int MOST_MORE_THREADS = 4;

    private final List<Sample> samples = new ArrayList<>();

    /**
     * What was held at one moment.
     *
     * @param heapBytes after a collection
     * @param descriptors open files and sockets; -1 where the system does not tell
     * @param threads alive
     */
    record Sample(long heapBytes, int descriptors, int threads) {
        String text() {
            return String.format(
                    Locale.ROOT,
                    "heap after GC %6.1f MB, %3d descriptors, %2d threads",
                    heapBytes / 1e6,
                    descriptors,
                    threads);
        }
    }

    /** Collects garbage and takes a sample. */
    Sample take() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            used = Math.min(
                    used,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        String[] open = new File("/proc/self/fd").list();
        Sample sample = new Sample(
                used,
                open == null ? -1 : open.length,
                ManagementFactory.getThreadMXBean().getThreadCount());
        samples.add(sample);
        return sample;
    }

    /** Compares the last third of the samples with the middle one; the first warms up. */
    boolean isFlat() {
        int third = samples.size() / 3;
        if (third == 0) {
            return true;
        }
        List<Sample> middle = samples.subList(third, 2 * third);
        List<Sample> last = samples.subList(samples.size() - third, samples.size());
        double before = middle.stream().mapToLong(Sample::heapBytes).average().orElse(0);
        double after = last.stream().mapToLong(Sample::heapBytes).average().orElse(0);
        return after - before <= Math.max(MOST_HEAP_GROWTH_BYTES, MOST_HEAP_GROWTH * before)
                && most(last, false) - most(middle, false) <= MOST_MORE_DESCRIPTORS
                && most(last, true) - most(middle, true) <= MOST_MORE_THREADS;
    }

    private static int most(List<Sample> some, boolean threads) {
        return some.stream()
                .mapToInt(threads ? Sample::threads : Sample::descriptors)
                .max()
                .orElse(0);
    }
}
