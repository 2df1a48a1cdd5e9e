/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.LatencySpread;
import java.util.Arrays;

/** Percentiles of plain numbers. */
final class Percentiles {
    private Percentiles() {}

    /** Time to first token of a pool's counted requests. */
    static LatencySpread of(PoolTwin pool) {
        int from = pool.firstCounted();
        double[] values = new double[pool.arrival.length - from];
        for (int i = 0; i < values.length; i++) {
            values[i] = pool.ttftSeconds(from + i);
        }
        return of(values, values.length);
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
        Arrays.sort(values, 0, count);
        return new LatencySpread(
                sum / count,
                at(values, count, 0.5 + moved),
                at(values, count, 0.9 + moved),
                at(values, count, 0.99 + 0.1 * moved));
    }

    private static double at(double[] sorted, int count, double probability) {
        return sorted[Math.max(0, (int) Math.ceil(probability * count) - 1)];
    }
}
