/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * When silence of a rank means something. Engines send a heartbeat after each second without a step.
 *
 * @param staleAfterSeconds silence after which a rank is STALE and holds the recommendation; &gt; 0
 * @param goneAfterSeconds silence after which a rank is dropped; &gt; staleAfterSeconds
 */
public record LivenessSettings(double staleAfterSeconds, double goneAfterSeconds) {
    public LivenessSettings {
        Checks.positive("staleAfterSeconds", staleAfterSeconds);
        Checks.positive("goneAfterSeconds", goneAfterSeconds);
        if (goneAfterSeconds <= staleAfterSeconds) {
            throw new IllegalArgumentException("goneAfterSeconds must exceed staleAfterSeconds (" + staleAfterSeconds
                    + "), was " + goneAfterSeconds);
        }
    }

    /** 5 s and 30 s: three missed heartbeats and some slack; half a minute for a long compile. */
    public static LivenessSettings defaults() {
        return new LivenessSettings(5, 30);
    }
}
