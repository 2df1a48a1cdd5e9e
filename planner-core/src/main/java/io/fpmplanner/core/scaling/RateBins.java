/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import java.util.Arrays;

/** Mean arrivals per second in bins of one width, the newest {@value #CAPACITY} of them. Not threadsafe. */
final class RateBins {
    /*
     * Bins lie at multiples of their width since the epoch. Of a bin that was seen for less than half of its width nothing
     * is known, which is not the same as no arrivals. A rate is kept as a number of two characters, on a logarithmic
     * scale with steps of 0.6 %: little beside what arrivals of Poisson's kind vary by, and the same after a restart as before.
     */
    static final int CAPACITY = 1152;

    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final int UNKNOWN = 0;
    private static final int NOTHING = 1;
    private static final int MOST = DIGITS.length() * DIGITS.length() - 1;
    private static final double LEAST_RATE = 1e-4;
    private static final double STEP = Math.log(1e7 / LEAST_RATE) / (MOST - 2);
    private static final int MOST_SKIPPED = 128;

    private static final double[] RATES = new double[MOST + 1];

    static {
        Arrays.setAll(RATES, RateBins::rate);
    }

    private final long widthNanos;
    private final short[] codes = new short[CAPACITY];
    private int size;
    private long open = Long.MIN_VALUE;
    private double count;
    private double seen;

    RateBins(int widthSeconds) {
        this.widthNanos = widthSeconds * 1_000_000_000L;
    }

    double widthSeconds() {
        return widthNanos / 1e9;
    }

    /** Bins that are complete. */
    int size() {
        return size;
    }

    /** The end of the newest complete bin; without meaning if there is none. */
    long endNanos() {
        return open * widthNanos;
    }

    /**
     * Adds what arrived in a span of time that ends now.
     *
     * @return how many bins it completed
     */
    int add(long nowNanos, double seconds, double arrived) {
        long from = nowNanos - (long) (seconds * 1e9);
        long first = Math.floorDiv(from, widthNanos);
        long last = Math.floorDiv(nowNanos - 1, widthNanos);
        if (seconds <= 0 || last - first > MOST_SKIPPED) {
            return 0;
        }
        if (open != Long.MIN_VALUE && last < open - 1) {
            // The clock was put back: nobody knows which bins are which.
            clear();
        }
        int completed = 0;
        for (long bin = first; bin <= last; bin++) {
            long overlap = Math.min(nowNanos, (bin + 1) * widthNanos) - Math.max(from, bin * widthNanos);
            completed += open(bin);
            if (bin == open) {
                count += arrived * (overlap / 1e9) / seconds;
                seen += overlap / 1e9;
            }
        }
        return completed;
    }

    /** Makes a later bin the open one; those between are unknown. */
    private int open(long bin) {
        if (open == Long.MIN_VALUE) {
            open = bin;
        }
        if (bin <= open) {
            return 0;
        }
        int completed = (int) Math.min(CAPACITY, bin - open);
        push(seen >= widthSeconds() / 2 ? code(Math.max(0, count / seen)) : UNKNOWN);
        for (int i = 1; i < completed; i++) {
            push(UNKNOWN);
        }
        open = bin;
        count = 0;
        seen = 0;
        return completed;
    }

    private void push(int code) {
        if (size == CAPACITY) {
            System.arraycopy(codes, 1, codes, 0, CAPACITY - 1);
            size--;
        }
        codes[size] = (short) code;
        size++;
    }

    private void clear() {
        size = 0;
        open = Long.MIN_VALUE;
        count = 0;
        seen = 0;
    }

    /** The rates of the complete bins, oldest first; NaN where nothing is known. */
    double[] rates() {
        double[] rates = new double[size];
        Arrays.setAll(rates, bin -> RATES[codes[bin]]);
        return rates;
    }

    private static int code(double rate) {
        if (rate < LEAST_RATE) {
            return NOTHING;
        }
        return (int) Math.min(MOST, 2 + Math.round(Math.log(rate / LEAST_RATE) / STEP));
    }

    private static double rate(int code) {
        return code == UNKNOWN ? Double.NaN : code == NOTHING ? 0 : LEAST_RATE * Math.exp((code - 2) * STEP);
    }

    ArrivalMemory.Bins memory() {
        StringBuilder text = new StringBuilder(2 * size);
        for (int bin = 0; bin < size; bin++) {
            text.append(DIGITS.charAt(codes[bin] / DIGITS.length()));
            text.append(DIGITS.charAt(codes[bin] % DIGITS.length()));
        }
        return new ArrivalMemory.Bins((int) widthSeconds(), size == 0 ? 0 : endNanos(), text.toString());
    }

    /** Goes on from before a restart; before the first {@link #add}. */
    void restore(ArrivalMemory.Bins memory) {
        clear();
        String text = memory.rates();
        for (int i = 0; i + 1 < text.length(); i += 2) {
            push(DIGITS.length() * DIGITS.indexOf(text.charAt(i)) + DIGITS.indexOf(text.charAt(i + 1)));
        }
        open = size == 0 ? Long.MIN_VALUE : Math.round((double) memory.endNanos() / widthNanos);
    }

    /** Whether a text is of the kind that {@link #memory} writes. */
    static boolean isReadable(String text) {
        return text.length() <= 2 * CAPACITY
                && text.length() % 2 == 0
                && text.chars().allMatch(digit -> DIGITS.indexOf(digit) >= 0);
    }
}
