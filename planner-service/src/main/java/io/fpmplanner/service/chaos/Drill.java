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
 * @param recoverySeconds longest time from the end of the fault to a decision on full evidence
 * @param script does it, for the given time
 */
record Drill(String name, String what, String expected, double recoverySeconds, Script script) {
    /** Lets something go wrong, watches, and makes it good again. */
    @FunctionalInterface
    interface Script {
        Outcome run(Arena arena, Watch watch, double seconds) throws IOException, InterruptedException, StartException;
    }

    /**
     * What came of it while it lasted.
     *
     * @param held whether that was as expected
     * @param figure worth telling, or an empty text
     * @param recoverySeconds until what is not the fleet's planner had recovered, 0 if there is no such thing
     */
    record Outcome(boolean held, String figure, double recoverySeconds) {
        static Outcome of(boolean held) {
            return new Outcome(held, "", 0);
        }
    }

    private static final String STALE = "UNDECIDED/STALE_TELEMETRY";
    private static final String PARTIAL = "UNDECIDED/PARTIAL_TELEMETRY";
    /** A reader notices, connects anew and hears of each engine, which speaks at least once a second. */
    private static final double SOON = 3;
    /** Strangers were live once: until they count as gone for good the fleet is held. */
    private static final double STRANGERS_GONE = 60;

    private static final double MINUTE = 60;

    static List<Drill> all() {
        return List.of(
                onWire(Fault.DEAD, "all publishers die, then restart", "held, stale", said(STALE)),
                onWire(Fault.MOST_DEAD, "three of four publishers die", "held, partial telemetry", said(PARTIAL)),
                onWire(Fault.FLAPPING, "publishers restart twice a second", "no fewer", Drill::anything),
                onWire(Fault.STALLED, "connections stay, nothing comes", "held, stale", said(STALE)),
                onWire(Fault.GARBAGE, "random messages among frames", "decides on", Drill::decided),
                onWire(Fault.DUPLICATES, "each frame three times", "no fewer", Drill::anything),
                onWire(Fault.REORDERED, "every second frame late", "no fewer", Drill::anything),
                onWire(Fault.CLOCKS, "clocks jump: wall times, sending times", "decides on", Drill::decided),
                onWire(Fault.SEQUENCE_JUMPS, "numbers jump back and forth", "no fewer", Drill::anything),
                onWire(Fault.TENFOLD, "ten times the messages", "decides on", Drill::decided)
                        .lasting(MINUTE),
                new Drill(
                        "strangers",
                        "a hundred unknown workers a second",
                        "no fewer",
                        STRANGERS_GONE,
                        wire(Fault.STRANGERS, Drill::anything)),
                new Drill("nats", "the NATS server restarts", "held, partial telemetry", SOON, Drill::nats),
                new Drill("dns", "names gone, publishers restart", "no fewer", SOON, Drill::dns),
                new Drill("disk", "the disk of the state is full", "decides on", SOON, Drill::disk),
                new Drill("restart", "the planner restarts", "no fewer", SOON, Drill::restart),
                new Drill(
                        "certificate",
                        "certificate rotated, expired, torn",
                        "served without a gap",
                        SOON,
                        (arena, watch, seconds) -> CertificateDrill.run(watch)),
                new Drill(
                        "new-pools",
                        "a hundred pools new at once",
                        "all decided, none too few",
                        NewPoolsDrill.RECOVERY_SECONDS,
                        (arena, watch, seconds) -> NewPoolsDrill.run(watch)),
                new Drill("rest", "REST asked ten times too much", "p99 <= 50 ms, rest refused", SOON, Drill::rest)
                        .lasting(MINUTE));
    }

    private static Predicate<Watch> said(String verdict) {
        return watch -> watch.seen().contains(verdict);
    }

    private static boolean decided(Watch watch) {
        return watch.seen().stream().anyMatch(said -> !said.startsWith("UNDECIDED"));
    }

    /** Plans must be made, of whatever kind. */
    private static boolean anything(Watch watch) {
        return watch.plans() > 0;
    }

    private static Drill onWire(Fault fault, String what, String expected, Predicate<Watch> holds) {
        String name = fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return new Drill(name, what, expected, SOON, wire(fault, holds));
    }

    /** So long at least, unless a shorter run was asked for. */
    private Drill lasting(double seconds) {
        Script always = script;
        return new Drill(
                name,
                what,
                expected,
                recoverySeconds,
                (arena, watch, asked) ->
                        always.run(arena, watch, asked < ChaosCommand.SECONDS ? asked : Math.max(asked, seconds)));
    }

    private static Script wire(Fault fault, Predicate<Watch> holds) {
        return (arena, watch, seconds) -> {
            arena.wire().set(fault);
            try {
                watch.during(seconds);
            } finally {
                arena.wire().set(Fault.NONE);
            }
            return Outcome.of(holds.test(watch));
        };
    }

    private static Outcome nats(Arena arena, Watch watch, double seconds) throws IOException, InterruptedException {
        arena.nats().stop();
        try {
            watch.during(seconds);
        } finally {
            arena.nats().start();
        }
        return Outcome.of(said(PARTIAL).test(watch));
    }

    /** Publishers that come back are found where they were found before. */
    private static Outcome dns(Arena arena, Watch watch, double seconds) throws InterruptedException {
        arena.names().gone(true);
        try {
            watch.during(seconds / 2);
            arena.wire().set(Fault.DEAD);
            watch.during(0.5);
            arena.wire().set(Fault.NONE);
            watch.during(seconds / 2);
            return Outcome.of(decided(watch));
        } finally {
            arena.wire().set(Fault.NONE);
            arena.names().gone(false);
        }
    }

    /**
     * In the place of the file that is written next there is a device that is always full; where there is none, a directory,
     * which cannot be opened for writing whoever runs this.
     */
    private static Outcome disk(Arena arena, Watch watch, double seconds) throws IOException, InterruptedException {
        Path next = arena.state().resolve("planner.state.next");
        Path full = Path.of("/dev/full");
        boolean blocked = false;
        for (int attempt = 0; !blocked && attempt < 100; attempt++) {
            Files.deleteIfExists(next);
            try {
                if (Files.exists(full)) {
                    Files.createSymbolicLink(next, full);
                } else {
                    Files.createDirectory(next);
                }
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
        return Outcome.of(blocked && decided(watch));
    }

    private static Outcome restart(Arena arena, Watch watch, double seconds)
            throws InterruptedException, StartException {
        arena.restartPlanner();
        return Outcome.of(true);
    }

    private static Outcome rest(Arena arena, Watch watch, double seconds) throws InterruptedException {
        try (RestFlood flood = new RestFlood(arena.url())) {
            flood.measureCapacity(watch);
            flood.overload();
            watch.during(seconds);
            RestFlood.Result result = flood.result();
            return new Outcome(decided(watch) && result.isAsPromised(), result.figure(), 0);
        }
    }
}
