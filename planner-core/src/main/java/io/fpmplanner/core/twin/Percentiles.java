/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.LatencySpread;
import java.util.Optional;
import java.util.stream.IntStream;

/** Percentiles of plain numbers. */
final class Percentiles {
    private Percentiles() {}

    /** Time to first token of a pool's counted requests; empty if none has one. */
    static Optional<LatencySpread> of(PoolTwin pool) {
        int from = pool.firstCounted();
        double[] known = IntStream.range(from, pool.arrival.length)
                .mapToDouble(pool::ttftSeconds)
                .filter(seconds -> !Double.isNaN(seconds))
                .toArray();
        return known.length == 0 ? Optional.empty() : Optional.of(of(known, known.length));
    }

    /** Of the first so many values that are numbers; the array is reordered. There must be one. */
    static LatencySpread of(double[] values, int size) {
        return of(values, size, 0);
    }

    /** At probabilities moved by so much; the last only by a tenth of it. */
    static LatencySpread of(double[] values, int size, double moved) {
        int count = 0;
        double sum = 0;
        for (int i = 0; i < size; i++) {
            if (!Double.isNaN(values[i])) {
                sum += values[i];
                values[count++] = values[i];
            }
        }
        double p99 = select(values, count, place(count, 0.99 + 0.1 * moved));
        double p90 = select(values, count, place(count, 0.9 + moved));
        double p50 = select(values, count, place(count, 0.5 + moved));
        return new LatencySpread(sum / count, p50, p90, p99);
    }

    private static int place(int count, double probability) {
        return Math.min(count - 1, Math.max(0, (int) Math.ceil(probability * count) - 1));
    }

    /** The number that would be at that place if they were sorted; they are reordered. Hoare's selection, CACM 4 (1961). */
    private static double select(double[] values, int count, int place) {
        int low = 0;
        int high = count - 1;
        while (low < high) {
            double pivot = values[(low + high) >>> 1];
            int i = low;
            int j = high;
            while (i <= j) {
                while (values[i] < pivot) {
                    i++;
                }
                while (pivot < values[j]) {
                    j--;
                }
                if (i <= j) {
                    double swapped = values[i];
                    values[i++] = values[j];
                    values[j--] = swapped;
                }
            }
            if (place <= j) {
                high = j;
            } else if (place >= i) {
                low = i;
            } else {
                return values[place];
            }
        }
        return values[place];
    }
}
