/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.vertx.core.impl.VertxThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test during which an event loop waited for something or computed for long in one go. Registered for all tests of
 * this module.
 *
 * <p>Computing is measured in CPU time, which a busy machine does not make longer; waiting by looking again and again
 * whether the thread stands still in the same event.
 */
public final class EventLoopGuard implements BeforeEachCallback, AfterEachCallback {
    /** Longer than loading the classes of a first request takes on a slow machine. */
    private static final long MOST_CPU_NANOS = 1_500_000_000L;

    /** Looks in a row at which a thread waits in one event. */
    private static final int MOST_WAITS = 50;

    private static final long LOOK_MILLIS = 20;
    private static final List<String> VIOLATIONS = new CopyOnWriteArrayList<>();
    private static boolean started;

    @Override
    public void beforeEach(ExtensionContext context) {
        start();
        VIOLATIONS.clear();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        List<String> seen = List.copyOf(VIOLATIONS);
        VIOLATIONS.clear();
        if (!seen.isEmpty()) {
            throw new AssertionError("an event loop was blocked: " + String.join("\n", seen));
        }
    }

    private static synchronized void start() {
        if (!started) {
            started = true;
            Thread thread = new Thread(EventLoopGuard::look, "event-loop-guard");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** What a thread was at when it was last looked at. */
    private static final class Event {
        private long startNanos;
        private long cpuNanos;
        private int waits;
        private boolean told;
    }

    private static void look() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<Thread, Event> events = new HashMap<>();
        while (true) {
            Thread[] all = new Thread[Thread.activeCount() + 64];
            int count = Thread.enumerate(all);
            for (int i = 0; i < count; i++) {
                if (all[i] instanceof VertxThread thread && !thread.isWorker()) {
                    look(thread, events.computeIfAbsent(thread, any -> new Event()), threads);
                }
            }
            events.keySet().removeIf(thread -> !thread.isAlive());
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static void look(VertxThread thread, Event event, ThreadMXBean threads) {
        long startNanos = thread.startTime();
        long cpuNanos = threads.getThreadCpuTime(thread.getId());
        if (startNanos == 0 || startNanos != event.startNanos) {
            event.startNanos = startNanos;
            event.cpuNanos = cpuNanos;
            event.waits = 0;
            event.told = false;
            return;
        }
        boolean waits = thread.getState() != Thread.State.RUNNABLE;
        event.waits = waits ? event.waits + 1 : 0;
        boolean tooLong = cpuNanos - event.cpuNanos > MOST_CPU_NANOS;
        if (!event.told && (tooLong || event.waits > MOST_WAITS)) {
            event.told = true;
            VIOLATIONS.add(thread.getName() + (tooLong ? " computes for long" : " waits") + " in\n"
                    + Arrays.stream(thread.getStackTrace())
                            .limit(30)
                            .map(frame -> "    " + frame)
                            .collect(Collectors.joining("\n")));
        }
    }
}
