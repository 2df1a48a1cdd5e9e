/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class DemoPortsTest {
    @Test
    void two_demos_get_blocks_apart() throws Exception {
        try (DemoPorts first = DemoPorts.claim(List.of("a", "b"), 4);
                DemoPorts second = DemoPorts.claim(List.of("a", "b"), 4)) {
            assertThat(first.firstPort("b") - first.firstPort("a")).isEqualTo(4);
            assertThat(second.firstPort("a")).isGreaterThanOrEqualTo(first.firstPort("b") + 4);
        }
    }

    @Test
    void an_unknown_pool_is_refused() {
        assertThatThrownBy(() -> DemoPorts.claim(List.of("a"), 1).firstPort("b"))
                .hasMessageContaining("b");
    }
}
