/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import java.util.List;
import java.util.Locale;

/** What is measured, and what it should reach on two cores of a present-day server. */
enum Row {
    PATH("bytes to model in one thread; ranks of one pool take turns"),
    ENDPOINT("one TCP endpoint, 400,000 frames/s offered"),
    JEROMQ("one TCP endpoint, 100,000 frames/s, read by the own reader and by JeroMQ"),
    TCP("1,000 TCP endpoints, 100 frames/s each"),
    IPC("1,000 Unix sockets, 100 frames/s each"),
    DEAD("1,000 TCP endpoints where nobody listens"),
    REST("1,000 predictions/s by REST while 100,000 frames/s come from one endpoint"),
    FLEET("100 pools of 100 workers"),
    TICK("plans of 100 pools of 100 workers in one thread, CPU time"),
    MEMORY("10,000 ranks of one pool in a heap of 512 MB, windows full"),
    START("serve with one pool, to the first 200");

    /**
     * What a figure should be at most.
     *
     * @param figure its name
     */
    record Limit(String figure, double most) {
        boolean isMet(double value) {
            return value <= most;
        }
    }

    private static final Limit NONE_LOST = new Limit("lost", 0);

    private final String meaning;

    Row(String meaning) {
        this.meaning = meaning;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    String meaning() {
        return meaning;
    }

    List<Limit> limits() {
        return switch (this) {
            case PATH -> List.of(new Limit("1000 ranks, ns", 1200), new Limit("1000 ranks, B", 0));
            case ENDPOINT -> List.of(NONE_LOST, new Limit("cores per 100,000 frames/s", 0.2));
            case JEROMQ -> List.of();
            case TCP -> List.of(NONE_LOST, new Limit("cores", 1), new Limit("p99 send to model, ms", 10));
            case IPC -> List.of(NONE_LOST, new Limit("cores", 0.5), new Limit("p99 send to model, ms", 3));
            case DEAD -> List.of(new Limit("cores", 0.04));
            case REST -> List.of(NONE_LOST, new Limit("p99, ms", 2));
            case FLEET -> List.of(NONE_LOST, new Limit("scrape, ms", 100), new Limit("tick, ms of one core", 50));
            case TICK -> List.of(new Limit("tick, ms of one core", 50));
            case MEMORY -> List.of(NONE_LOST, new Limit("kB per rank beyond 150 MB", 10));
            case START -> List.of(new Limit("plain, s", 0.8), new Limit("with archive, s", 0.4));
        };
    }

    Figures take(Effort effort) throws Exception {
        return switch (this) {
            case PATH -> Machine.beside(() -> PathRow.run(effort));
            case ENDPOINT -> StreamRows.endpoint(effort);
            case JEROMQ -> StreamRows.jeromq(effort);
            case TCP -> StreamRows.many(effort, false);
            case IPC -> StreamRows.many(effort, true);
            case DEAD -> Machine.beside(() -> StreamRows.dead(effort));
            case REST -> StreamRows.rest(effort);
            case FLEET -> FleetRows.fleet(effort);
            case TICK -> Machine.beside(() -> TickRow.run(effort));
            case MEMORY -> FleetRows.memory(effort);
            case START -> Machine.beside(() -> StartRow.run(effort));
        };
    }
}
