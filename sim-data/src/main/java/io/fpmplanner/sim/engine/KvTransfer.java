/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/**
 * Time to receive the KV cache of a request from another engine, once blocks for it are free. Immutable.
 *
 * @param fixedNanos for each request whatever its length (handshake, set-up); &ge; 0
 * @param nanosPerToken for each token of context; &ge; 0
 */
public record KvTransfer(long fixedNanos, double nanosPerToken) {
    /** No time at all. */
    public static final KvTransfer NONE = new KvTransfer(0, 0);

    private static final double SLOWEST_NANOS_PER_TOKEN = 1e9;

    public KvTransfer {
        if (fixedNanos < 0 || !(nanosPerToken >= 0 && nanosPerToken <= SLOWEST_NANOS_PER_TOKEN)) {
            throw new IllegalArgumentException("a transfer takes at least 0 ns and at most 1 s per token, not "
                    + fixedNanos + " ns and " + nanosPerToken + " ns per token");
        }
    }

    /**
     * A transfer over a link.
     *
     * @param bytesPerToken KV bytes of one token in all layers
     * @param bytesPerSecond what the link carries for one request; &gt; 0
     */
    public static KvTransfer over(long fixedNanos, double bytesPerToken, double bytesPerSecond) {
        return new KvTransfer(fixedNanos, bytesPerToken / bytesPerSecond * 1e9);
    }

    long nanos(int contextTokens) {
        return fixedNanos + (long) (nanosPerToken * contextTokens);
    }
}
