/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.llmd;

import java.util.Locale;

/** A pod or request needs steps much larger than any that were learned from. */
final class TooFarException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final double factor;

    TooFarException(double factor) {
        super(String.format(Locale.ROOT, "this needs steps %.1f times as large as the largest seen", factor));
        this.factor = factor;
    }

    double factor() {
        return factor;
    }
}
