/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * Keeps the last samples of a regression so that rare loads are not pushed out by frequent ones: at most {@value
 * #CAPACITY}, spread over a grid of cells; when there is one too many, the oldest of the fullest cell leaves (of the first
 * one in order, if several are as full).
 *
 * <p>Cells are equally wide on the scaled axes, between the smallest and the largest value ever seen, so that samples
 * change cells when the bounds grow.
 */
final class SampleGrid {
    /** Samples kept. */
    static final int CAPACITY = 64;

    /** One measured step: its load on two axes, the second 0 where a regression has only one. */
    record Sample(double first, double second, double seconds) {}

    private final List<Sample> samples = new ArrayList<>(CAPACITY + 1);
    private final Axis first;
    private final Axis second;

    private SampleGrid(Axis first, Axis second) {
        this.first = first;
        this.second = second;
    }

    /** Sixteen cells along the first axis. */
    static SampleGrid ofOneAxis() {
        return new SampleGrid(
                new Axis(16, DoubleUnaryOperator.identity()), new Axis(1, DoubleUnaryOperator.identity()));
    }

    /** Four by four cells on the given scale. */
    static SampleGrid ofTwoAxes(DoubleUnaryOperator scale) {
        return new SampleGrid(new Axis(4, scale), new Axis(4, scale));
    }

    void add(Sample sample) {
        first.include(sample.first);
        second.include(sample.second);
        samples.add(sample);
        if (samples.size() > CAPACITY) {
            samples.remove(oldestOfTheFullestCell());
        }
    }

    /** Oldest first; a live view. */
    List<Sample> samples() {
        return Collections.unmodifiableList(samples);
    }

    private int oldestOfTheFullestCell() {
        int[] count = new int[first.cells * second.cells];
        int fullest = 0;
        for (Sample sample : samples) {
            count[cell(sample)]++;
        }
        for (int cell = 1; cell < count.length; cell++) {
            if (count[cell] > count[fullest]) {
                fullest = cell;
            }
        }
        int oldest = 0;
        while (cell(samples.get(oldest)) != fullest) {
            oldest++;
        }
        return oldest;
    }

    private int cell(Sample sample) {
        return first.cell(sample.first) * second.cells + second.cell(sample.second);
    }

    /** One side of the grid with the bounds seen so far. */
    private static final class Axis {
        private final int cells;
        private final DoubleUnaryOperator scale;
        private double low = Double.POSITIVE_INFINITY;
        private double high = Double.NEGATIVE_INFINITY;

        Axis(int cells, DoubleUnaryOperator scale) {
            this.cells = cells;
            this.scale = scale;
        }

        void include(double value) {
            double scaled = scale.applyAsDouble(value);
            low = Math.min(low, scaled);
            high = Math.max(high, scaled);
        }

        int cell(double value) {
            double width = high - low;
            int cell = width > 0 ? (int) ((scale.applyAsDouble(value) - low) / width * cells) : 0;
            return Math.min(cell, cells - 1);
        }
    }
}
