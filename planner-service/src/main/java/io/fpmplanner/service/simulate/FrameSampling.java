/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import io.fpmplanner.sim.policy.PublishedFrame;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How much of the stream of frames the planner gets to see, and how often it decides. */
enum FrameSampling {
    /** Each frame, and a decision each second, as the service does. */
    WHOLE_STREAM(1) {
        @Override
        List<PublishedFrame> select(List<PublishedFrame> frames) {
            return frames;
        }
    },
    /** The newest frame of each rank, every five seconds, as harnesses do that poll. */
    NEWEST_EACH_FIVE_SECONDS(5) {
        @Override
        List<PublishedFrame> select(List<PublishedFrame> frames) {
            Map<String, PublishedFrame> newest = new LinkedHashMap<>();
            for (PublishedFrame frame : frames) {
                newest.put(frame.poolId() + ' ' + frame.metrics().workerId(), frame);
            }
            return new ArrayList<>(newest.values());
        }
    };

    private final int intervalSeconds;

    FrameSampling(int intervalSeconds) {
        this.intervalSeconds = intervalSeconds;
    }

    int intervalSeconds() {
        return intervalSeconds;
    }

    abstract List<PublishedFrame> select(List<PublishedFrame> frames);
}
