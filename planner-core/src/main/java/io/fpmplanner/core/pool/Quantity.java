/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.OptionalDouble;

/**
 * One number about the workload.
 *
 * @param value the number; empty while unknown
 * @param standardError of it; empty where it cannot be told
 * @param origin where it comes from
 */
public record Quantity(OptionalDouble value, OptionalDouble standardError, Origin origin) {
    /** Nothing is known. */
    public static final Quantity UNKNOWN = new Quantity(OptionalDouble.empty(), OptionalDouble.empty(), Origin.UNKNOWN);

    /** Where a number comes from. */
    public enum Origin {
        /** Read from frames. */
        INFERRED,
        /** Said by somebody who knows, over REST. */
        SUPPLIED,
        /** Told by the engines apart from frames. */
        REPORTED,
        /** From the configuration. */
        CONFIGURED,
        /** Nobody said and frames do not tell. */
        UNKNOWN
    }

    static Quantity inferred(OptionalDouble value, double standardError) {
        return value.isEmpty()
                ? UNKNOWN
                : new Quantity(
                        value,
                        Double.isFinite(standardError) && standardError >= 0
                                ? OptionalDouble.of(standardError)
                                : OptionalDouble.empty(),
                        Origin.INFERRED);
    }

    static Quantity inferred(double value, double standardError) {
        return inferred(OptionalDouble.of(value), standardError);
    }

    static Quantity exact(double value, Origin origin) {
        return new Quantity(OptionalDouble.of(value), OptionalDouble.of(0), origin);
    }
}
