/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;

/**
 * The newest decisions of one pool, oldest first. An entry is made when the recommended number changes, and when only
 * the status, the reason or the limit does, at most every {@value #QUIET_SECONDS} s. One writer; the lists it hands out are
 * immutable, for any thread.
 */
public final class DecisionLog {
    /** Entries kept of a pool. */
    public static final int CAPACITY = 256;

    static final double QUIET_SECONDS = 15;

    private final Deque<Decision> entries = new ArrayDeque<>();
    private List<Decision> shown = List.of();

    /** Takes note of a recommendation. */
    public void add(Recommendation made) {
        Decision last = entries.peekLast();
        if (last != null && !isNews(made, last)) {
            return;
        }
        append(new Decision(
                last == null ? 1 : last.number() + 1,
                made.decidedAtNanos(),
                made.status(),
                made.desired(),
                last == null ? OptionalInt.empty() : last.desired(),
                made.fleet().ready(),
                made.fleet().pending(),
                made.demand().neededReplicas(),
                made.demand().requestsPerSecond(),
                made.reason(),
                made.limitedBy(),
                made.advisory(),
                made.evidence(),
                made.message()));
    }

    private static boolean isNews(Recommendation made, Decision last) {
        if (!made.desired().equals(last.desired())) {
            return true;
        }
        boolean other = made.status() != last.status()
                || made.reason() != last.reason()
                || !made.limitedBy().equals(last.limitedBy());
        return other && (made.decidedAtNanos() - last.atNanos()) / 1e9 >= QUIET_SECONDS;
    }

    /** Puts back what was kept of an earlier life; before the first {@link #add}. */
    public void restore(List<Decision> kept) {
        kept.forEach(this::append);
    }

    private void append(Decision decision) {
        entries.addLast(decision);
        if (entries.size() > CAPACITY) {
            entries.removeFirst();
        }
        shown = List.copyOf(entries);
    }

    /** The entries, oldest first. */
    public List<Decision> entries() {
        return shown;
    }
}
