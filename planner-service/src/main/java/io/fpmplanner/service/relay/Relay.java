/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Passes messages on until it is stopped. {@link #run} by one thread; {@link #stop} by any. */
final class Relay implements Runnable {
    /** Messages of one endpoint before the next one gets its turn. */
    private static final int BATCH = 256;

    /** What comes meanwhile is passed on together: a wake-up costs more than a message, and a planner looks once a second. */
    static final int PAUSE_MILLIS = 20;

    private static final int TURNS_PER_LOOK = 10;

    private final List<RelayLine> lines;
    private final Consumer<String> log;
    private volatile boolean running = true;
    private boolean taken;

    Relay(List<RelayLine> lines, Consumer<String> log) {
        this.lines = List.copyOf(lines);
        this.log = log;
    }

    @Override
    public void run() {
        try {
            for (int turn = 0; running; turn++) {
                if (turn % TURNS_PER_LOOK == 0) {
                    look();
                }
                boolean more = false;
                for (RelayLine line : lines) {
                    more |= line.pass(BATCH) == BATCH;
                }
                if (!more) {
                    Thread.sleep(PAUSE_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lines.forEach(RelayLine::close);
        }
    }

    private void look() {
        boolean all = true;
        for (RelayLine line : lines) {
            all &= line.turn();
        }
        if (all != taken) {
            taken = all;
            log.accept(all ? "the other side takes messages" : "the other side is away; messages are dropped");
        }
    }

    /** Has {@link #run} return soon. */
    void stop() {
        running = false;
    }

    /** One line on each endpoint and one on all; after {@link #run}. */
    String counts() {
        StringBuilder text = new StringBuilder();
        if (lines.size() > 1) {
            lines.forEach(line -> append(text, line.name(), line.received(), line.sent(), line.dropped()));
        }
        append(
                text,
                "relay",
                lines.stream().mapToLong(RelayLine::received).sum(),
                lines.stream().mapToLong(RelayLine::sent).sum(),
                lines.stream().mapToLong(RelayLine::dropped).sum());
        return text.toString();
    }

    private static void append(StringBuilder text, String name, long received, long sent, long dropped) {
        text.append(
                String.format(Locale.ROOT, "%s: %d received, %d sent, %d dropped%n", name, received, sent, dropped));
    }
}
