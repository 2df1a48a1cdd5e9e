/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Replicas that were ordered and do not serve yet, when each is expected, and how long starting one really takes. Not
 * threadsafe.
 */
final class OrderBook {
    /*
     * An order is overdue after PATIENCE cold starts and a little: a replica that never becomes ready must not be
     * counted on for ever. The cold start is the configured one until orders were seen to be filled, then the median of
     * the newest; a replica that is ready early or late by FAR is taken for one of another order.
     */
    private static final double PATIENCE = 1.5;
    private static final double PATIENCE_SLACK_SECONDS = 15;
    private static final int REMEMBERED = 9;
    private static final double FAR = 4;

    private final double configuredSeconds;
    private final Deque<Long> orders = new ArrayDeque<>();
    private final double[] measured = new double[REMEMBERED];
    private int filled;
    private int readyBefore = -1;

    OrderBook(double coldStartSeconds) {
        this.configuredSeconds = coldStartSeconds;
    }

    /**
     * Ordered replicas at one moment.
     *
     * @param dueInSeconds when each is expected, ascending; overdue ones that are still counted on are due at once
     */
    @SuppressWarnings("ArrayRecordComponent") // built once per tick and read within it
    record Pending(double[] dueInSeconds) {
        static final Pending NONE = new Pending(new double[0]);

        int count() {
            return dueInSeconds.length;
        }

        int dueWithin(double seconds) {
            int due = 0;
            while (due < dueInSeconds.length && dueInSeconds[due] <= seconds) {
                due++;
            }
            return due;
        }
    }

    List<Long> orderedNanos() {
        return List.copyOf(orders);
    }

    /** The newest, oldest first. */
    List<Double> measuredSeconds() {
        int known = Math.min(filled, REMEMBERED);
        List<Double> newest = new ArrayList<>();
        for (int age = known; age > 0; age--) {
            newest.add(measured[(filled - age) % REMEMBERED]);
        }
        return newest;
    }

    void restore(List<Long> orderedNanos, List<Double> measuredSeconds) {
        orders.addAll(orderedNanos);
        for (double seconds : measuredSeconds) {
            measured[filled % REMEMBERED] = seconds;
            filled++;
        }
    }

    /** Takes note of replicas that became ready, and so how long their orders took. */
    void ready(int ready, long nowNanos) {
        int arrived = readyBefore < 0 ? 0 : ready - readyBefore;
        readyBefore = ready;
        for (int i = 0; i < arrived && !orders.isEmpty(); i++) {
            double took = (nowNanos - orders.removeFirst()) / 1e9;
            boolean plausible =
                    took <= FAR * configuredSeconds + PATIENCE_SLACK_SECONDS && took * FAR >= configuredSeconds;
            if (plausible) {
                measured[filled % REMEMBERED] = took;
                filled++;
            }
        }
    }

    /** Brings the number of outstanding orders to the given one: new orders are given now, the newest cancelled first. */
    void outstanding(int count, long nowNanos) {
        while (orders.size() < count) {
            orders.addLast(nowNanos);
        }
        while (orders.size() > count) {
            orders.removeLast();
        }
    }

    int outstanding() {
        return orders.size();
    }

    /** Forgets orders that are overdue beyond patience; returns how many. */
    int giveUp(long nowNanos) {
        int given = 0;
        Iterator<Long> oldestFirst = orders.iterator();
        while (oldestFirst.hasNext() && isOverdue(oldestFirst.next(), nowNanos)) {
            oldestFirst.remove();
            given++;
        }
        return given;
    }

    private boolean isOverdue(long orderedNanos, long nowNanos) {
        double patience = PATIENCE * coldStartSeconds() + PATIENCE_SLACK_SECONDS;
        return (nowNanos - orderedNanos) / 1e9 > patience;
    }

    /** Of the orders still outstanding, those that are overdue beyond patience. */
    int overdue(long nowNanos) {
        int count = 0;
        for (long ordered : orders) {
            count += isOverdue(ordered, nowNanos) ? 1 : 0;
        }
        return count;
    }

    /** Those that are still counted on. */
    Pending pending(long nowNanos) {
        double[] due = new double[orders.size()];
        int count = 0;
        for (long ordered : orders) {
            if (!isOverdue(ordered, nowNanos)) {
                due[count++] = Math.max(0, coldStartSeconds() - (nowNanos - ordered) / 1e9);
            }
        }
        due = Arrays.copyOf(due, count);
        Arrays.sort(due);
        return new Pending(due);
    }

    /** From ordering a replica to its first frame: the median of the newest orders, as configured before any was filled. */
    double coldStartSeconds() {
        int known = Math.min(filled, REMEMBERED);
        if (known == 0) {
            return configuredSeconds;
        }
        double[] sorted = Arrays.copyOf(measured, known);
        Arrays.sort(sorted);
        return sorted[known / 2];
    }
}
