/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/** Why an engine did not accept a request. */
public enum Refusal {
    CONTEXT_TOO_LONG("prompt and output exceed the longest context"),
    KV_TOO_SMALL("prompt and output do not fit in the KV cache even alone"),
    QUEUE_FULL("too many requests wait already"),
    NO_REPLICA("no replica is there to take it");

    private final String sentence;

    Refusal(String sentence) {
        this.sentence = sentence;
    }

    /** A short explanation for people. */
    public String sentence() {
        return sentence;
    }
}
