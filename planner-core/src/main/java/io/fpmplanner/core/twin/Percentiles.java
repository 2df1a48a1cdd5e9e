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
        return known.length == 0 ? Optional.empty() : Optional.of(of(known));
    }

    /** Of at least one value, none of them NaN; the array is reordered. */
    static LatencySpread of(double[] values) {
        return of(values, 0);
    }

    /** At probabilities moved by so much; the last only by a tenth of it. */
    static LatencySpread of(double[] values, double moved) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        int count = values.length;
        double p99 = select(values, place(count, 0.99 + 0.1 * moved));
        double p90 = select(values, place(count, 0.9 + moved));
        double p50 = select(values, place(count, 0.5 + moved));
        return new LatencySpread(sum / count, p50, p90, p99);
    }

    private static int place(int count, double probability) {
        return Math.min(count - 1, Math.max(0, (int) Math.ceil(probability * count) - 1));
    }

    /** The number that would be at that place if they were sorted; they are reordered. Hoare's selection, CACM 4 (1961). */
    private static double select(double[] values, int place) {
        int low = 0;
        int high = values.length - 1;
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
