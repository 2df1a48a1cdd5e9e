/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.service.backtest.SampleGrid.Sample;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SampleGridTest {
    @Test
    void keepsSixtyFourAndDropsTheOldestOfTheFullestCell() {
        SampleGrid grid = SampleGrid.ofOneAxis();
        grid.add(new Sample(0, 0, 0)); // the oldest of all, but alone in its cell
        grid.add(new Sample(16, 0, 1));
        for (int i = 2; i < 64; i++) {
            grid.add(new Sample(15.5, 0, i)); // fills the last cell, which sample 1 is the oldest of
        }
        assertThat(grid.samples()).hasSize(64);

        grid.add(new Sample(8, 0, 64));

        assertThat(grid.samples()).hasSize(64);
        assertThat(grid.samples())
                .extracting(Sample::seconds)
                .startsWith(0.0, 2.0)
                .doesNotContain(1.0)
                .endsWith(64.0);
    }

    @Test
    void aRareLoadOutlastsAnyNumberOfCommonOnes() {
        SampleGrid grid = SampleGrid.ofTwoAxes(DoubleUnaryOperator.identity());
        grid.add(new Sample(1000, 1000, -1));

        IntStream.range(0, 10_000).forEach(i -> grid.add(new Sample(i % 7, i % 5, i)));

        assertThat(grid.samples().get(0).seconds()).isEqualTo(-1);
        assertThat(grid.samples().get(63).seconds()).isEqualTo(9999);
    }

    @Test
    void allSamplesChangeCellsWhenTheBoundsGrow() {
        SampleGrid grid = SampleGrid.ofOneAxis();
        IntStream.range(0, 64).forEach(i -> grid.add(new Sample(i % 32, 0, i)));

        // Within bounds of 0 to 1e6 those 64 share one cell, so that the first of them leaves.
        grid.add(new Sample(1e6, 0, 64));

        assertThat(grid.samples()).extracting(Sample::seconds).startsWith(1.0).endsWith(64.0);
    }

    @Test
    void onALogarithmicScaleEachPowerHasItsCells() {
        SampleGrid grid = SampleGrid.ofTwoAxes(Math::log1p);
        List<Double> loads = List.of(0.0, 20.0, 400.0, 8000.0);
        for (int i = 0; i < 64; i++) {
            grid.add(new Sample(loads.get(i % 4), 0, i));
        }

        grid.add(new Sample(20, 0, 64));

        // Four cells of 16; the one of load 20 has one more now, and its oldest sample is number 1.
        assertThat(grid.samples())
                .extracting(Sample::seconds)
                .doesNotContain(1.0)
                .contains(0.0, 2.0, 3.0);
    }

    @Test
    void ofCellsAsFullTheFirstOneGives() {
        SampleGrid grid = SampleGrid.ofOneAxis();
        IntStream.range(0, 32).forEach(i -> grid.add(new Sample(16, 0, i)));
        IntStream.range(32, 64).forEach(i -> grid.add(new Sample(0, 0, i)));

        grid.add(new Sample(8, 0, 64));

        assertThat(grid.samples()).extracting(Sample::seconds).startsWith(0.0).doesNotContain(32.0);
    }
}
