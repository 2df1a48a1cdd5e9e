/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import java.util.List;

/**
 * What came in the past days, by which seasons are told. Immutable.
 *
 * @param bins by width, each at most once; those of other widths than are kept are of no use
 */
public record ArrivalMemory(List<Bins> bins) {
    /** Nothing came yet. */
    public static final ArrivalMemory NOTHING = new ArrivalMemory(List.of());

    public ArrivalMemory {
        bins = List.copyOf(bins);
    }

    /**
     * Rates in bins of one width.
     *
     * @param widthSeconds of a bin
     * @param endNanos end of the newest one, nanoseconds since the Unix epoch
     * @param rates two characters a bin, oldest first
     */
    public record Bins(int widthSeconds, long endNanos, String rates) {
        public Bins {
            if (!RateBins.isReadable(rates)) {
                throw new IllegalArgumentException("rates of bins of " + widthSeconds + " s cannot be read");
            }
        }
    }

    /** The same, with all times moved. */
    ArrivalMemory movedBy(long nanos) {
        return new ArrivalMemory(bins.stream()
                .map(each -> new Bins(each.widthSeconds(), each.endNanos() + nanos, each.rates()))
                .toList());
    }
}
