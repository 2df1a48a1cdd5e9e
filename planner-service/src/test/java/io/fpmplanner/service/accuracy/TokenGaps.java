/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import io.fpmplanner.sim.publish.ForwardPassMetrics;

/** How far apart the tokens of one engine rank are, told from its records and its first tokens. */
final class TokenGaps {
    /*
     * Where decodes stand still while prompts are computed, they wait for all steps since their last one, and whoever had its
     * first token meanwhile waits since then.
     */
    private final boolean standing;
    private double seconds;
    private double joined;
    private double joinedAtSeconds;

    /** Told of tokens that come so long after those before them. */
    interface Listener {
        void onGap(double seconds, double tokens);
    }

    TokenGaps(boolean standing) {
        this.standing = standing;
    }

    /** A step has ended that brought so many requests their first token and not their last. */
    void onStep(ForwardPassMetrics metrics, int firstTokens, Listener listener) {
        double tokens = (double) metrics.scheduled().numDecodeRequests();
        seconds = metrics.wallTimeSeconds() + (standing ? seconds : 0);
        if (tokens > 0) {
            double fresh = Math.min(joined, tokens);
            if (tokens > fresh) {
                listener.onGap(seconds, tokens - fresh);
            }
            if (fresh > 0) {
                listener.onGap(seconds - joinedAtSeconds / joined, fresh);
            }
            clear();
        } else if (standing) {
            joined += firstTokens;
            joinedAtSeconds += firstTokens * seconds;
        }
    }

    void clear() {
        seconds = 0;
        joined = 0;
        joinedAtSeconds = 0;
    }
}
