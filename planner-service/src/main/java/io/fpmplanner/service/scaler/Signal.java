/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.scaler;

/** A figure that a scaler may act upon, or why there is none. */
public sealed interface Signal {
    /**
     * A figure.
     *
     * @param value finite
     * @param held whether it is an earlier decision, given since nothing can be decided now
     */
    record Known(double value, boolean held) implements Signal {
        public Known {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("value must be finite, was " + value);
            }
        }
    }

    /**
     * No figure, which is not 0.
     *
     * @param why one sentence for the operator
     */
    record Unknown(String why) implements Signal {}

    /** A figure of now if it is finite, else the reason. */
    static Signal of(double value, String whyNot) {
        return Double.isFinite(value) ? new Known(value, false) : new Unknown(whyNot);
    }
}
