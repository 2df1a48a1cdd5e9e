/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import io.fpmplanner.service.StartException;
import io.fpmplanner.service.chaos.Wire.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * One fault and what must hold.
 *
 * @param name for the command line
 * @param what the fault, in words
 * @param expected what must be seen, in words
 * @param holds whether it was, by the statuses and reasons seen while the fault lasted
 * @param recoverySeconds longest time from the end of the fault to a decision on full evidence
 * @param script does it, for the given time
 */
record Drill(String name, String what, String expected, Predicate<Watch> holds, double recoverySeconds, Script script) {
    /** Lets something go wrong, watches, and makes it good again. */
    @FunctionalInterface
    interface Script {
        /** Returns a figure worth telling, or an empty text. */
        String run(Arena arena, Watch watch, double seconds) throws IOException, InterruptedException, StartException;
    }

    private static final String STALE = "UNDECIDED/STALE_TELEMETRY";
    private static final String PARTIAL = "UNDECIDED/PARTIAL_TELEMETRY";
    /** A reader notices, connects anew and hears of each engine, which speaks at least once a second. */
    private static final double SOON = 3;

    static List<Drill> all() {
        return List.of(
                onWire(
                        Fault.DEAD,
                        "all publishers die",
                        "held, stale",
                        watch -> watch.seen().contains(STALE),
                        SOON),
                onWire(
                        Fault.MOST_DEAD,
                        "three of four publishers die",
                        "held, partial telemetry",
                        watch -> watch.seen().contains(PARTIAL),
                        SOON),
                onWire(Fault.FLAPPING, "publishers restart twice a second", "no fewer", watch -> true, SOON),
                onWire(
                        Fault.STALLED,
                        "connections stay, nothing comes",
                        "held, stale",
                        watch -> watch.seen().contains(STALE),
                        SOON),
                onWire(Fault.GARBAGE, "random messages among frames", "decides on", Drill::decided, SOON),
                onWire(Fault.DUPLICATES, "each frame three times", "no fewer", watch -> true, SOON),
                onWire(Fault.REORDERED, "every second frame late", "no fewer", watch -> true, SOON),
                onWire(Fault.CLOCKS, "wall times 1000-fold, negative, NaN", "decides on", Drill::decided, SOON),
                onWire(Fault.SEQUENCE_JUMPS, "numbers jump back and forth", "no fewer", watch -> true, SOON),
                onWire(Fault.TENFOLD, "ten times the messages", "decides on", Drill::decided, SOON),
                // Strangers were live once: until they count as gone for good the fleet is held.
                onWire(Fault.STRANGERS, "a hundred unknown workers a second", "no fewer", watch -> true, 60),
                new Drill("disk", "state cannot be written", "decides on", Drill::decided, SOON, Drill::disk),
                new Drill("restart", "the planner restarts", "no fewer", watch -> true, SOON, Drill::restart),
                new Drill("rest", "REST asked as fast as it can", "decides on", Drill::decided, SOON, Drill::rest));
    }

    private static boolean decided(Watch watch) {
        return watch.seen().stream().anyMatch(said -> !said.startsWith("UNDECIDED"));
    }

    private static Drill onWire(
            Fault fault, String what, String expected, Predicate<Watch> holds, double recoverySeconds) {
        return new Drill(
                fault.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                what,
                expected,
                holds,
                recoverySeconds,
                (arena, watch, seconds) -> {
                    arena.wire().set(fault);
                    try {
                        watch.during(seconds);
                    } finally {
                        arena.wire().set(Fault.NONE);
                    }
                    return "";
                });
    }

    /** A directory in the place of the file that is written next: whoever runs this, it cannot be opened for writing. */
    private static String disk(Arena arena, Watch watch, double seconds) throws IOException, InterruptedException {
        Path next = arena.state().resolve("planner.state.next");
        boolean blocked = false;
        for (int attempt = 0; !blocked && attempt < 100; attempt++) {
            Files.deleteIfExists(next);
            try {
                Files.createDirectory(next);
                blocked = true;
            } catch (IOException writtenMeanwhile) {
                Thread.sleep(1);
            }
        }
        try {
            watch.during(seconds);
        } finally {
            Files.deleteIfExists(next);
        }
        return "";
    }

    private static String restart(Arena arena, Watch watch, double seconds)
            throws InterruptedException, StartException {
        arena.restartPlanner();
        return "";
    }

    private static String rest(Arena arena, Watch watch, double seconds) throws InterruptedException {
        try (RestFlood flood = new RestFlood(arena.url())) {
            flood.start();
            watch.during(seconds);
            return flood.result();
        }
    }
}
