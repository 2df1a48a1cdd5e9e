/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphSizesTest {
    private final GraphSizes sizes = new GraphSizes(StepTimeSettings.defaults().graphBatchSizes());

    @ParameterizedTest
    @CsvSource({"1,1", "2,2", "3,4", "4,4", "4.2,8", "8,8", "9,16", "16,16", "17,24", "256,256", "257,272", "512,512"})
    void padsToTheNextCapturedSize(double batch, double padded) {
        assertThat(sizes.padded(batch)).isEqualTo(padded);
    }

    @Test
    void leavesBatchesBeyondTheLargestAlone() {
        assertThat(sizes.padded(513)).isEqualTo(513);
        assertThat(sizes.index(513)).isEqualTo(-1);
    }

    @Test
    void anEngineWithoutGraphsIsNotPadded() {
        GraphSizes none = new GraphSizes(List.of());
        assertThat(none.padded(7)).isEqualTo(7);
        assertThat(none.padded(0)).isZero();
        assertThat(none.index(0)).isEqualTo(-1);
    }
}
