/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.sim.policy.PublishedFrame;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlannerAutoscalerTest {
    private static PublishedFrame frame(String pool, String worker, long sequence) {
        return new PublishedFrame(
                pool, "tcp://" + worker + ":1", sequence, sequence, ForwardPassMetrics.heartbeat(worker, 0));
    }

    @Test
    void pollingSeesTheNewestFrameOfEachRankOnly() {
        List<PublishedFrame> frames =
                List.of(frame("p", "a", 0), frame("p", "b", 0), frame("p", "a", 1), frame("q", "a", 5));

        assertThat(FrameSampling.NEWEST_EACH_FIVE_SECONDS.select(frames))
                .containsExactlyInAnyOrder(frames.get(1), frames.get(2), frames.get(3));
        assertThat(FrameSampling.WHOLE_STREAM.select(frames)).isEqualTo(frames);
    }
}
