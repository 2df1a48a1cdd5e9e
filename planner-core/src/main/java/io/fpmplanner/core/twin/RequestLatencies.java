/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.twin.WhatIfAnswer.Attainment;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Latencies of the counted requests; in a pair each prefill is followed by any decode, for they are independent. */
final class RequestLatencies {
    /*
     * The ITL of a request that had not finished when counting ended is NaN; such requests are judged by the others. One with an
     * answer of one token has none, and nothing but its TTFT to miss. It never comes to a decode pool, where it has neither.
     */
    private static final double NONE = -1;

    private final double[] ttft;
    private final double[] itl;

    /** Of a pool, or of a pair; {@code decoder} is the one of them that decodes. */
    RequestLatencies(PoolTwin one, @Nullable PoolTwin two, @Nullable PoolTwin decoder) {
        int from = one.firstCounted();
        int count = one.arrival.length - from;
        this.ttft = new double[count];
        this.itl = new double[count];
        for (int i = 0; i < count; i++) {
            double second = two == null ? 0 : two.ttftSeconds(from + i);
            ttft[i] = one.comes(from + i) ? one.ttftSeconds(from + i) + (Double.isNaN(second) ? 0 : second) : NONE;
            itl[i] = decoder == null || decoder.tokenGaps(from + i) < 1 ? NONE : decoder.itlSeconds(from + i);
        }
    }

    /** At probabilities moved by so much; the last only by a tenth of it. Empty if no request has one. */
    Optional<LatencySpread> ttft(double moved) {
        double[] known = Arrays.stream(ttft).filter(seconds -> seconds >= 0).toArray();
        return known.length == 0 ? Optional.empty() : Optional.of(Percentiles.of(known, moved));
    }

    /** Mean time between the tokens of a request. */
    Optional<LatencySpread> requestItl() {
        double[] known = Arrays.stream(itl).filter(seconds -> seconds >= 0).toArray();
        return known.length == 0 ? Optional.empty() : Optional.of(Percentiles.of(known));
    }

    Attainment attainment(SloTarget slo) {
        double met = 0;
        double known = 0;
        double decoded = 0;
        double decodedMet = 0;
        double both = 0;
        for (int i = 0; i < ttft.length; i++) {
            boolean inTime = ttft[i] <= slo.ttftSeconds();
            boolean inPace = itl[i] <= slo.itlSeconds();
            met += inTime ? 1 : 0;
            if (!Double.isNaN(itl[i])) {
                known++;
                both += inTime && inPace ? 1 : 0;
                decoded += itl[i] >= 0 ? 1 : 0;
                decodedMet += itl[i] >= 0 && inPace ? 1 : 0;
            }
        }
        double share = met / ttft.length;
        return new Attainment(
                share,
                decoded > 0 ? OptionalDouble.of(decodedMet / decoded) : OptionalDouble.empty(),
                known > 0 ? both / known : share);
    }
}
