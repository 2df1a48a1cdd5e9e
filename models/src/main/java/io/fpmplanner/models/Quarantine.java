/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** Holds back the first frame of each kind until a second one agrees with it. Not threadsafe. */
final class Quarantine {
    /*
     * The first steps of a shape compile kernels and capture graphs: recordings show 0.2 to 6.7 s where the next one
     * takes 0.02 s. One such frame in an empty fit spoils it for hundreds of frames. The price is one frame a bucket.
     */
    private static final double AGREEMENT = 3;

    private final double[] heldSeconds;

    Quarantine(int buckets) {
        heldSeconds = new double[buckets];
    }

    /** Whether two times may belong to the same kind of step. */
    static boolean agree(double oneSeconds, double otherSeconds) {
        return oneSeconds <= AGREEMENT * otherSeconds && otherSeconds <= AGREEMENT * oneSeconds;
    }

    /** No first frame of this kind is held back: it was met before. */
    void confirm(int bucket) {
        heldSeconds[bucket] = -1;
    }

    /** True if the frame may be learned from: its bucket was confirmed before, or this frame confirms the held one. */
    boolean admits(int bucket, double wallTimeSeconds) {
        double held = heldSeconds[bucket];
        if (held < 0) {
            return true;
        }
        boolean confirmed = agree(held, wallTimeSeconds);
        heldSeconds[bucket] = confirmed ? -1 : wallTimeSeconds;
        return confirmed;
    }
}
