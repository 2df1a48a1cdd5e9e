/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.fleet.FrameChannels;
import io.fpmplanner.sim.fleet.FrameListener;
import io.fpmplanner.sim.fleet.FrameOrigin;
import io.fpmplanner.sim.fleet.StepChannel;
import io.fpmplanner.sim.fleet.StepChannels;
import io.fpmplanner.sim.policy.PublishedFrame;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import java.util.ArrayList;
import java.util.List;

/** Collects the frames of a fleet as one subscriber to all would get them. Not threadsafe. */
final class FrameTap implements FrameListener {
    private List<PublishedFrame> frames = new ArrayList<>();

    /** Channels that report here; those of a fleet nobody listens to report nowhere and beat no heart. */
    StepChannels channels(boolean listening) {
        return listening ? new FrameChannels(this) : FrameTap::deaf;
    }

    private static StepChannel deaf(String poolId, int slot, RankIdentity identity, long nowNanos) {
        return new StepChannel() {
            @Override
            public void publish(ForwardPassMetrics metrics, long endNanos) {
                // Nobody listens.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }

    @Override
    public void onFrame(FrameOrigin origin, ForwardPassMetrics frame, long nowNanos) {
        frames.add(new PublishedFrame(origin.poolId(), origin.endpoint(), frame.counterId(), nowNanos, frame));
    }

    /** The frames since this was asked last. */
    List<PublishedFrame> take() {
        List<PublishedFrame> taken = frames;
        frames = new ArrayList<>();
        return taken;
    }
}
