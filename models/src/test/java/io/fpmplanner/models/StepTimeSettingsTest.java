/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class StepTimeSettingsTest {
    @Test
    void defaultsAreVllmsCaptureSizes() {
        assertThat(StepTimeSettings.defaults().graphBatchSizes())
                .startsWith(1, 2, 4, 8, 16)
                .endsWith(496, 512);
    }

    @Test
    void refusesWhatNoEngineHas() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StepTimeSettings(List.of(4, 2), 512, 0.999, 30))
                .withMessageContaining("graphBatchSizes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StepTimeSettings(List.of(), -1, 0.999, 30))
                .withMessageContaining("eagerTokens");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StepTimeSettings(List.of(), 512, 1.5, 30))
                .withMessageContaining("forgetting");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StepTimeSettings(List.of(), 512, Double.NaN, 30))
                .withMessageContaining("forgetting");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StepTimeSettings(List.of(), 512, 0.999, 0))
                .withMessageContaining("framesNeeded");
    }
}
