/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of one worker whose frames come in one stream, and what such engines repeat in them. Not threadsafe.
 *
 * <p>TensorRT-LLM with attention data parallelism reports one measured time with the frames of all its ranks, and the queue
 * of all with that of rank 0. A time is learned once, from the rank that had most to do, since the others waited for it;
 * and the queue is everybody's.
 */
final class RankGroup {
    /*
     * Times are float64 from a clock: two ranks that measure for themselves do not agree in every bit. Ranks with sockets
     * of their own are groups of one, learned from at once. With several, a step waits for the first frame of the next
     * one, or the tick.
     */
    private static final int PROVEN = 8;

    private final List<Rank> members = new ArrayList<>(1);

    @Nullable
    private FpmFrame held;

    @Nullable
    private Rank holder;

    private long step;
    private double wallTimeSeconds;
    private boolean repeated;
    private int repeatedSteps;
    private boolean queuedElsewhere;

    void join(Rank rank) {
        members.add(rank);
    }

    void leave(Rank rank) {
        members.remove(rank);
        if (rank.equals(holder)) {
            holder = null;
        }
    }

    boolean isEmpty() {
        return members.isEmpty();
    }

    List<Rank> members() {
        return members;
    }

    /** Notes whose frames tell of a queue. */
    void noteQueue(FpmFrame frame) {
        queuedElsewhere |= frame.dpRank() != 0 && (frame.queuedPrefillRequests() | frame.queuedDecodeRequests()) != 0;
    }

    /** Whether rank 0 tells the queue of all, as far as frames can prove it. */
    boolean sharesQueue() {
        return members.size() > 1 && repeatedSteps == PROVEN && !queuedElsewhere;
    }

    /** Takes a measured step of a member: learns from it, or holds it back until it is known who else reports it. */
    void learn(Rank rank, FpmFrame frame, ScopedModels models, boolean compare) {
        if (isRepeated(rank, frame)) {
            rank.repeats(step);
            repeated = true;
            if (holder != null && work(frame) > work(held())) {
                hold(rank, frame);
            }
        } else {
            flush(models, compare);
            repeatedSteps = Math.max(0, Math.min(PROVEN, repeatedSteps + (repeated ? 1 : -1)));
            repeated = false;
            step++;
            wallTimeSeconds = frame.wallTimeSeconds();
            rank.begins(step);
            if (members.size() > 1) {
                hold(rank, frame);
            } else {
                teach(rank, frame, models, compare);
            }
        }
    }

    private boolean isRepeated(Rank rank, FpmFrame frame) {
        return step > 0 && rank.sharedStep() != step && frame.wallTimeSeconds() == wallTimeSeconds;
    }

    /** Learns from the step that is held back, if there is one. */
    void flush(ScopedModels models, boolean compare) {
        Rank rank = holder;
        if (rank != null) {
            holder = null;
            teach(rank, held(), models, compare);
        }
    }

    private void hold(Rank rank, FpmFrame frame) {
        held().set(frame);
        holder = rank;
    }

    private FpmFrame held() {
        if (held == null) {
            held = new FpmFrame();
        }
        return held;
    }

    private static void teach(Rank rank, FpmFrame frame, ScopedModels models, boolean compare) {
        if (models.observe(frame, rank.speed(), compare)) {
            rank.learned();
        }
    }

    private static long work(FpmFrame frame) {
        return frame.scheduledPrefillTokens() + frame.scheduledDecodeRequests();
    }
}
