/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.OptionalDouble;

/**
 * What somebody who sees the requests, such as a front end, says of them; it wins over what frames tell. Immutable.
 *
 * @param requestsPerSecond arrivals, &ge; 0; empty to infer them
 * @param inputTokens mean prompt tokens, cached ones included, &ge; 1; empty to infer
 * @param outputTokens mean tokens generated, the first included, &ge; 1; empty to infer
 * @param cachedShare share of prompt tokens found in the prefix cache, 0 to 1; empty to infer
 */
public record SuppliedTraffic(
        OptionalDouble requestsPerSecond,
        OptionalDouble inputTokens,
        OptionalDouble outputTokens,
        OptionalDouble cachedShare) {
    public SuppliedTraffic {
        requestsPerSecond.ifPresent(value -> Checks.between("requestsPerSecond", value, 0, 1e12));
        inputTokens.ifPresent(value -> Checks.between("inputTokens", value, 1, 1 << 24));
        outputTokens.ifPresent(value -> Checks.between("outputTokens", value, 1, 1 << 24));
        cachedShare.ifPresent(value -> Checks.between("cachedShare", value, 0, 1));
    }
}
