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

    /** The places of real numbers begin here, after those of counts. */
    static final int FIRST_REAL = FpmFields.COUNTS;

    private static final int PLACES = FIRST_REAL + FpmFields.REALS;
    private static final int SCHEDULED_COUNTS = FpmFields.QUEUED_PREFILL_REQUESTS;
    private static final int SCHEDULED = (1 << SCHEDULED_COUNTS) - 1
            | bit(FpmFields.PREFIX_CACHED_PREFILL_TOKENS)
            | bit(FpmFields.PREFIX_CACHED_DECODE_KV_TOKENS)
            | realBit(FpmFields.SCHEDULED_PREFILL_LENGTH_VARIANCE)
            | realBit(FpmFields.SCHEDULED_DECODE_KV_VARIANCE)
            | realBit(FpmFields.UNCACHED_PREFILL_LENGTH_VARIANCE)
            | realBit(FpmFields.PREFIX_CACHED_DECODE_KV_VARIANCE);
    private static final int QUEUED = (1 << FpmFields.WORK_COUNTS) - (1 << SCHEDULED_COUNTS)
            | realBit(FpmFields.QUEUED_PREFILL_LENGTH_VARIANCE)
            | realBit(FpmFields.QUEUED_DECODE_KV_VARIANCE);
    private static final int ALL_VARIANCES = ((1 << FpmFields.VARIANCES) - 1) << FIRST_REAL;
    private static final int NOT_DECLARED = bit(FpmFields.PREFIX_CACHED_PREFILL_TOKENS)
            | bit(FpmFields.PREFIX_CACHED_DECODE_KV_TOKENS)
            | realBit(FpmFields.UNCACHED_PREFILL_LENGTH_VARIANCE)
            | realBit(FpmFields.PREFIX_CACHED_DECODE_KV_VARIANCE);

    /** One bit for each place. */
    static final int ALL = (1 << PLACES) - 1;

    /** Of the schema of version 1. */
    private static final int DECLARED = ALL & ~NOT_DECLARED;

    /** Counts, then real numbers as their bits. */
    private final long[] values = new long[PLACES];

    /** One bit a place. */
    private int said;

    private static int bit(int field) {
        return 1 << field;
    }

    private static int realBit(int field) {
        return 1 << (FIRST_REAL + field);
    }

    void clear() {
        Arrays.fill(values, 0);
        said = 0;
    }

    /** Forgets what was scheduled. */
    void clearScheduled() {
        forget(SCHEDULED);
    }

    /** Forgets what was queued. */
    void clearQueued() {
        forget(QUEUED);
    }

    /** Forgets all variances, for an engine that does not compute them and writes 0. */
    void clearVariances() {
        forget(ALL_VARIANCES);
    }

    /** Forgets one count. */
    void forgetCount(int field) {
        forget(bit(field));
    }

    private void forget(int bits) {
        for (int left = bits & said; left != 0; left &= left - 1) {
            values[Integer.numberOfTrailingZeros(left)] = 0;
        }
        said &= ~bits;
    }

    void set(FrameNumbers other) {
        System.arraycopy(other.values, 0, values, 0, PLACES);
        said = other.said;
    }

    /** All numbers by their places, counts as they are and real numbers as their bits, to be written to by a decoder. */
    long[] values() {
        return values;
    }

    /** Notes which numbers of {@link #values} were said, one bit a place. */
    void said(int places) {
        said = places;
    }

    /** Sets a count without noting that it was said; {@link #declaredSaid} does that for all. */
    void declaredCount(int field, long value) {
        values[field] = value;
    }

    /** The same for the bits of a real number. */
    void declaredReal(int field, long bits) {
        values[FIRST_REAL + field] = bits;
    }

    /** Notes that every number of the schema of version 1 was said, and none beyond it. */
    void declaredSaid() {
        values[FpmFields.PREFIX_CACHED_PREFILL_TOKENS] = 0;
        values[FpmFields.PREFIX_CACHED_DECODE_KV_TOKENS] = 0;
        values[FIRST_REAL + FpmFields.UNCACHED_PREFILL_LENGTH_VARIANCE] = 0;
        values[FIRST_REAL + FpmFields.PREFIX_CACHED_DECODE_KV_VARIANCE] = 0;
        said = DECLARED;
    }

    void count(int field, long value) {
        values[field] = value;
        said |= bit(field);
    }

    void real(int field, double value) {
        values[FIRST_REAL + field] = Double.doubleToRawLongBits(value);
        said |= realBit(field);
    }

    long count(int field) {
        return values[field];
    }

    double real(int field) {
        return Double.longBitsToDouble(values[FIRST_REAL + field]);
    }

    boolean saysCount(int field) {
        return (said & bit(field)) != 0;
    }

    OptionalLong optionalCount(int field) {
        return saysCount(field) ? OptionalLong.of(count(field)) : OptionalLong.empty();
    }

    OptionalDouble optionalReal(int field) {
        return (said & realBit(field)) != 0 ? OptionalDouble.of(real(field)) : OptionalDouble.empty();
    }

    /** Whether every request and token counter, scheduled and queued, is 0. */
    boolean isAllZero() {
        long any = 0;
        for (int i = 0; i < FpmFields.WORK_COUNTS; i++) {
            any |= values[i];
        }
        return any == 0;
    }

    boolean isPlausible() {
        if (real(FpmFields.WALL_TIME) > MAX_PLAUSIBLE_WALL_TIME_SECONDS) {
            return false;
        }
        for (int i = 0; i < FpmFields.VARIANCES; i++) {
            if (real(i) > MAX_PLAUSIBLE_VARIANCE) {
                return false;
            }
        }
        long requests = Math.max(
                Math.max(count(FpmFields.SCHEDULED_PREFILL_REQUESTS), count(FpmFields.SCHEDULED_DECODE_REQUESTS)),
                Math.max(count(FpmFields.QUEUED_PREFILL_REQUESTS), count(FpmFields.QUEUED_DECODE_REQUESTS)));
        return requests <= MAX_PLAUSIBLE_REQUESTS && greatestTokens() <= MAX_PLAUSIBLE_TOKENS;
    }

    private long greatestTokens() {
        long scheduled = Math.max(
                Math.max(count(FpmFields.SCHEDULED_PREFILL_TOKENS), count(FpmFields.SCHEDULED_PREFILL_KV_TOKENS)),
                count(FpmFields.SCHEDULED_DECODE_KV_TOKENS));
        long queued = Math.max(count(FpmFields.QUEUED_PREFILL_TOKENS), count(FpmFields.QUEUED_DECODE_KV_TOKENS));
        return Math.max(scheduled, queued);
    }
}
