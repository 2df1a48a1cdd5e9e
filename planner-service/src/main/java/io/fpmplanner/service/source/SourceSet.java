/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * All sources of a service, each with a ring of its own, so that one that floods cannot take another's room. {@link
 * #drain} is for the planner's loop alone; everything else is threadsafe.
 */
public final class SourceSet implements AutoCloseable {
    private final List<SourceFeed> feeds;

    /** The given sources, with rings of so many frames each. */
    public SourceSet(List<? extends FrameSource> sources, int ringFrames) {
        this(sources, ringFrames, FrameTap.NONE);
    }

    /** The same; the tap is shown every message of all of them. */
    public SourceSet(List<? extends FrameSource> sources, int ringFrames, FrameTap tap) {
        this(sources, ringFrames, tap, WorkerLists.ALL);
    }

    /** The same; frames of other workers than these are rejected. */
    public SourceSet(List<? extends FrameSource> sources, int ringFrames, FrameTap tap, WorkerLists workers) {
        this.feeds = sources.stream()
                .map(source -> new SourceFeed(source, new FrameRing(ringFrames, tap, workers)))
                .toList();
    }

    /**
     * Starts all.
     *
     * @param wake called by the sources' threads after each batch
     */
    public void start(Runnable wake) {
        feeds.forEach(feed -> feed.source().start(feed.ring(), wake));
    }

    /**
     * Feeds at most so many slots of each ring to the consumer.
     *
     * @return whether more may be waiting
     */
    public boolean drain(int mostOfEach, FrameRing.Consumer consumer) {
        boolean more = false;
        for (SourceFeed feed : feeds) {
            more |= feed.ring().drain(mostOfEach, consumer) == mostOfEach;
        }
        return more;
    }

    /** The sources with their rings. */
    public List<SourceFeed> feeds() {
        return feeds;
    }

    /** What is known of every endpoint of every source now, ordered by pool and address. */
    public List<EndpointStatus> endpoints() {
        List<EndpointStatus> all = new ArrayList<>();
        feeds.forEach(feed -> all.addAll(feed.source().endpoints()));
        all.sort(Comparator.comparingInt(EndpointStatus::poolIndex).thenComparing(EndpointStatus::endpoint));
        return all;
    }

    /** A rejected message of each source, pool and reason. */
    public List<RejectSample> rejectSamples() {
        return feeds.stream()
                .flatMap(feed -> feed.ring().rejects().all().stream())
                .toList();
    }

    /** Whether all of them receive. */
    public boolean isReceiving() {
        return feeds.stream().allMatch(feed -> feed.source().isReceiving());
    }

    /** Closes all. */
    @Override
    public void close() {
        feeds.forEach(feed -> feed.source().close());
    }
}
