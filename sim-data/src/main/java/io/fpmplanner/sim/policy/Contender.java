/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

/**
 * A policy on the board. Immutable.
 *
 * @param id short name, as on the command line
 * @param title what it does, in a sentence
 * @param real false for one that knows the future and therefore is a bound, not a competitor
 * @param factory makes its autoscalers
 */
public record Contender(String id, String title, boolean real, PolicyFactory factory) {
    /** A competitor. */
    public static Contender of(String id, String title, PolicyFactory factory) {
        return new Contender(id, title, true, factory);
    }
}
