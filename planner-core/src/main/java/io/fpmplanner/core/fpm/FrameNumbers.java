/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The numbers of one frame by the places of {@link FpmFields}, and which of them were said. A number that was not said
 * reads as 0, the default of the wire. Not threadsafe.
 */
final class FrameNumbers {
    /*
     * Counts beyond these cannot come from a working engine. Such a frame is well-formed, so it is shown; but one of
     * them in a window or a fit would outweigh all others, so it is neither learned nor summed.
     */
    private static final long MAX_PLAUSIBLE_REQUESTS = 1L << 20;
    private static final long MAX_PLAUSIBLE_TOKENS = 1L << 36;
    private static final double MAX_PLAUSIBLE_VARIANCE = 1e18;
    private static final double MAX_PLAUSIBLE_WALL_TIME_SECONDS = 3600;

    private static final int SCHEDULED_COUNTS = FpmFields.QUEUED_PREFILL_REQUESTS;
    private static final int SCHEDULED_BITS = bits(
            FpmFields.SCHEDULED_PREFILL_LENGTH_VARIANCE,
            FpmFields.SCHEDULED_DECODE_KV_VARIANCE,
            FpmFields.UNCACHED_PREFILL_LENGTH_VARIANCE,
            FpmFields.PREFIX_CACHED_DECODE_KV_VARIANCE);
    private static final int SCHEDULED_DECLARED_BITS =
            bits(FpmFields.SCHEDULED_PREFILL_LENGTH_VARIANCE, FpmFields.SCHEDULED_DECODE_KV_VARIANCE);
    private static final int QUEUED_BITS =
            bits(FpmFields.QUEUED_PREFILL_LENGTH_VARIANCE, FpmFields.QUEUED_DECODE_KV_VARIANCE);

    /** Of the schema of version 1. */
    private static final int DECLARED_COUNTS = (1 << FpmFields.PREFIX_CACHED_PREFILL_TOKENS) - 1;

    private static final int DECLARED_REALS = SCHEDULED_DECLARED_BITS | QUEUED_BITS | 1 << FpmFields.WALL_TIME;

    private final long[] counts = new long[FpmFields.COUNTS];
    private final double[] reals = new double[FpmFields.REALS];
    private int countsSaid;
    private int realsSaid;

    private static int bits(int... fields) {
        return Arrays.stream(fields).map(field -> 1 << field).sum();
    }

    void clear() {
        Arrays.fill(counts, 0);
        Arrays.fill(reals, 0);
        countsSaid = 0;
        realsSaid = 0;
    }

    /** Forgets what was scheduled. */
    void clearScheduled() {
        Arrays.fill(counts, 0, SCHEDULED_COUNTS, 0);
        Arrays.fill(counts, FpmFields.PREFIX_CACHED_PREFILL_TOKENS, FpmFields.COUNTS, 0);
        reals[FpmFields.SCHEDULED_PREFILL_LENGTH_VARIANCE] = 0;
        reals[FpmFields.SCHEDULED_DECODE_KV_VARIANCE] = 0;
        reals[FpmFields.UNCACHED_PREFILL_LENGTH_VARIANCE] = 0;
        reals[FpmFields.PREFIX_CACHED_DECODE_KV_VARIANCE] = 0;
        countsSaid &= 1 << FpmFields.COUNTER_ID;
        realsSaid &= ~SCHEDULED_BITS;
    }

    /** Forgets what was queued. */
    void clearQueued() {
        Arrays.fill(counts, SCHEDULED_COUNTS, FpmFields.WORK_COUNTS, 0);
        reals[FpmFields.QUEUED_PREFILL_LENGTH_VARIANCE] = 0;
        reals[FpmFields.QUEUED_DECODE_KV_VARIANCE] = 0;
        realsSaid &= ~QUEUED_BITS;
    }

    /** Forgets all variances, for an engine that does not compute them and writes 0. */
    void clearVariances() {
        Arrays.fill(reals, 0, FpmFields.VARIANCES, 0);
        realsSaid &= 1 << FpmFields.WALL_TIME;
    }

    /** Forgets one count. */
    void forgetCount(int field) {
        counts[field] = 0;
        countsSaid &= ~(1 << field);
    }

    void set(FrameNumbers other) {
        System.arraycopy(other.counts, 0, counts, 0, counts.length);
        System.arraycopy(other.reals, 0, reals, 0, reals.length);
        countsSaid = other.countsSaid;
        realsSaid = other.realsSaid;
    }

    /** Sets a count without noting that it was said; {@link #declaredSaid} does that for all. */
    void declaredCount(int field, long value) {
        counts[field] = value;
    }

    /** The same for a real number. */
    void declaredReal(int field, double value) {
        reals[field] = value;
    }

    /** Notes that every number of the schema of version 1 was said, and none beyond it. */
    void declaredSaid() {
        counts[FpmFields.PREFIX_CACHED_PREFILL_TOKENS] = 0;
        counts[FpmFields.PREFIX_CACHED_DECODE_KV_TOKENS] = 0;
        reals[FpmFields.UNCACHED_PREFILL_LENGTH_VARIANCE] = 0;
        reals[FpmFields.PREFIX_CACHED_DECODE_KV_VARIANCE] = 0;
        countsSaid = DECLARED_COUNTS;
        realsSaid = DECLARED_REALS;
    }

    void count(int field, long value) {
        counts[field] = value;
        countsSaid |= 1 << field;
    }

    void real(int field, double value) {
        reals[field] = value;
        realsSaid |= 1 << field;
    }

    long count(int field) {
        return counts[field];
    }

    double real(int field) {
        return reals[field];
    }

    boolean saysCount(int field) {
        return (countsSaid & 1 << field) != 0;
    }

    OptionalLong optionalCount(int field) {
        return saysCount(field) ? OptionalLong.of(counts[field]) : OptionalLong.empty();
    }

    OptionalDouble optionalReal(int field) {
        return (realsSaid & 1 << field) != 0 ? OptionalDouble.of(reals[field]) : OptionalDouble.empty();
    }

    /** Whether every request and token counter, scheduled and queued, is 0. */
    boolean isAllZero() {
        long any = 0;
        for (int i = 0; i < FpmFields.WORK_COUNTS; i++) {
            any |= counts[i];
        }
        return any == 0;
    }

    boolean isPlausible() {
        if (reals[FpmFields.WALL_TIME] > MAX_PLAUSIBLE_WALL_TIME_SECONDS) {
            return false;
        }
        for (int i = 0; i < FpmFields.VARIANCES; i++) {
            if (reals[i] > MAX_PLAUSIBLE_VARIANCE) {
                return false;
            }
        }
        long requests = Math.max(
                Math.max(counts[FpmFields.SCHEDULED_PREFILL_REQUESTS], counts[FpmFields.SCHEDULED_DECODE_REQUESTS]),
                Math.max(counts[FpmFields.QUEUED_PREFILL_REQUESTS], counts[FpmFields.QUEUED_DECODE_REQUESTS]));
        return requests <= MAX_PLAUSIBLE_REQUESTS && greatestTokens() <= MAX_PLAUSIBLE_TOKENS;
    }

    private long greatestTokens() {
        long scheduled = Math.max(
                Math.max(counts[FpmFields.SCHEDULED_PREFILL_TOKENS], counts[FpmFields.SCHEDULED_PREFILL_KV_TOKENS]),
                counts[FpmFields.SCHEDULED_DECODE_KV_TOKENS]);
        long queued = Math.max(counts[FpmFields.QUEUED_PREFILL_TOKENS], counts[FpmFields.QUEUED_DECODE_KV_TOKENS]);
        return Math.max(scheduled, queued);
    }
}
