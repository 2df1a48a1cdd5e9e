/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.service.backtest.SampleGrid.Sample;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Answers from a fit to the samples of a grid, which is made anew when asked after there were new samples. */
final class Regression {
    /** There is no answer from fewer samples. */
    static final int FEWEST = 5;

    private final SampleGrid grid;
    private final Method method;
    private boolean stale;
    private @Nullable Fit fit;

    Regression(SampleGrid grid, Method method) {
        this.grid = grid;
        this.method = method;
    }

    /** A way to fit samples. */
    interface Method {
        /** The fit; empty if it would be useless. */
        Optional<? extends Fit> fit(List<Sample> samples);

        /** Whether a useless fit leaves the one before in force. */
        boolean keepsTheLast();

        /** The least answer, seconds. */
        double floorSeconds();
    }

    void add(double first, double second, double seconds) {
        grid.add(new Sample(first, second, seconds));
        stale = true;
    }

    /** Seconds at a load, at least the floor; empty if there is no useful fit. */
    OptionalDouble seconds(double first, double second) {
        if (stale && grid.samples().size() >= FEWEST) {
            stale = false;
            Optional<? extends Fit> next = method.fit(grid.samples());
            if (next.isPresent() || !method.keepsTheLast()) {
                fit = next.orElse(null);
            }
        }
        return fit == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.max(method.floorSeconds(), fit.at(first, second)));
    }
}
