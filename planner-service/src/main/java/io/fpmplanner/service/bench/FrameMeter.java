/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.service.FrameWatcher;
import io.fpmplanner.service.ServiceClock;
import java.util.concurrent.atomic.AtomicLong;

/** Counts frames that the planner has taken in, and how long ago they were sent. {@link #taken()} is for any thread. */
final class FrameMeter implements FrameWatcher {
    /** One in so many frames is timed: asking for the time would be a part of what is measured. */
    private static final int EVERY = 8;

    private final ServiceClock clock = new ServiceClock();
    private final Latencies latencies = new Latencies();
    private final AtomicLong taken = new AtomicLong();
    private volatile long timedFromNanos = Long.MAX_VALUE;

    @Override
    public void taken(FpmFrame frame) {
        long count = taken.getPlain() + 1;
        taken.setRelease(count);
        if (count % EVERY == 0 && frame.counterId() >= timedFromNanos) {
            latencies.add(clock.getAsLong() - frame.counterId());
        }
    }

    /** Times frames that are sent from now on. */
    void time() {
        timedFromNanos = clock.getAsLong();
    }

    long taken() {
        return taken.getAcquire();
    }

    /** Read it when nothing comes any more. */
    Latencies latencies() {
        return latencies;
    }
}
