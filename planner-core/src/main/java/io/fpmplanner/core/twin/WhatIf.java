/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

/**
 * A question to the twin: this traffic on that many replicas.
 *
 * @param workload the traffic
 * @param replicas replicas of the pool, or of the prefill pool of a pair; 1 to {@value #MAX_REPLICAS}
 * @param decodeReplicas replicas of the decode pool of a pair, at least 1; 0 if the question is about one pool
 * @param routing how requests are spread
 * @param transferSeconds time to move a KV cache to the decode pool; 0 to {@value #MAX_TRANSFER_SECONDS}
 */
public record WhatIf(Workload workload, int replicas, int decodeReplicas, Routing routing, double transferSeconds) {
    /** Most replicas that may be asked about. */
    public static final int MAX_REPLICAS = 8192;

    /** Longest transfer that may be asked about. */
    public static final double MAX_TRANSFER_SECONDS = 60;

    public WhatIf {
        if (!(transferSeconds >= 0 && transferSeconds <= MAX_TRANSFER_SECONDS)) {
            throw new IllegalArgumentException("transferSeconds must lie between 0 and " + (int) MAX_TRANSFER_SECONDS
                    + ", was " + transferSeconds);
        }
        if (replicas < 1 || replicas > MAX_REPLICAS) {
            throw new IllegalArgumentException("replicas must lie between 1 and " + MAX_REPLICAS + ", was " + replicas);
        }
        if (decodeReplicas < 0 || decodeReplicas > MAX_REPLICAS) {
            throw new IllegalArgumentException(
                    "decodeReplicas must lie between 1 and " + MAX_REPLICAS + ", was " + decodeReplicas);
        }
    }

    /** One pool behind a load-aware router. */
    public static WhatIf of(Workload workload, int replicas) {
        return new WhatIf(workload, replicas, 0, Routing.LEAST_LOADED, 0);
    }

    /** A prefill and a decode pool, both behind load-aware routers. */
    public static WhatIf pair(Workload workload, int prefillReplicas, int decodeReplicas) {
        return new WhatIf(workload, prefillReplicas, decodeReplicas, Routing.LEAST_LOADED, 0);
    }

    /** The same with another workload. */
    public WhatIf with(Workload other) {
        return new WhatIf(other, replicas, decodeReplicas, routing, transferSeconds);
    }

    /** The same with other replicas. */
    public WhatIf with(int newReplicas, int newDecodeReplicas) {
        return new WhatIf(workload, newReplicas, newDecodeReplicas, routing, transferSeconds);
    }
}
