/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import java.util.Optional;

/** A place where only one engine's rank can be: whoever came to it last has replaced the others. Not threadsafe. */
final class Seat {
    private int ranks;
    private long newestStartNanos;

    void take(Rank rank) {
        ranks++;
        newestStartNanos = Math.max(newestStartNanos, rank.firstReceivedNanos());
    }

    void clear() {
        ranks = 0;
        newestStartNanos = 0;
    }

    boolean isEmpty() {
        return ranks == 0;
    }

    /** When the rank that came last sent its first frame, nanoseconds since the Unix epoch. */
    long newestStartNanos() {
        return newestStartNanos;
    }

    /*
     * A rank's socket, or on an event plane, where all come from one endpoint, its name among workers. A nameless rank there
     * has its publisher for a seat, which nobody else ever takes.
     */
    static String ofRank(FpmFrame frame) {
        String place = frame.endpoint() + '#' + frame.dpRank();
        if (frame.publisherId() == FpmFrame.NO_PUBLISHER) {
            return place;
        }
        return place + (frame.workerId().isEmpty() ? "@" + frame.publisherId() : "#" + frame.workerId());
    }

    /*
     * A peer that connects to us comes back from another port of its host: by the same name on the same host, begun after
     * this one's last frame, it is the same rank and would otherwise double the fleet until the old one counts as gone.
     */
    static Optional<String> ofReturn(FpmFrame frame) {
        int port = frame.endpoint().lastIndexOf(':');
        boolean named = !frame.workerId().isEmpty() && frame.publisherId() == FpmFrame.NO_PUBLISHER;
        return named && port > "tcp:".length() && frame.endpoint().startsWith("tcp://")
                ? Optional.of(frame.endpoint().substring(0, port) + "/" + frame.workerId() + '#' + frame.dpRank())
                : Optional.empty();
    }
}
