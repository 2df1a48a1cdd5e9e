/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Quantity;
import io.fpmplanner.core.pool.Role;
import java.util.Optional;
import java.util.OptionalDouble;

/** Lengths of answers in a decode pool, as long as they can be told to be. Stateless. */
final class SureLengths {
    /*
     * A decode pool sees answers end only by requests that leave; in the first half minute few have, and long ones seem
     * longer. A replica ordered on that is given back a minute later: in flat traffic the only reversal there was. So a
     * length counts less half its standard error, which is small soon.
     */
    private static final double SURE = 0.5;

    private SureLengths() {}

    static PoolLoad.Traffic of(PoolView pool) {
        PoolLoad.Traffic seen = pool.load().traffic();
        Quantity length = pool.workload().outputTokens();
        if (pool.settings().role() != Role.DECODE
                || length.origin() == Quantity.Origin.SUPPLIED
                || length.standardError().isEmpty()
                || seen.outputTokens().isEmpty()) {
            return seen;
        }
        double mean = seen.outputTokens().getAsDouble();
        double error = Math.min(mean / 2, SURE * length.standardError().getAsDouble());
        return new PoolLoad.Traffic(
                seen.windowSeconds(),
                seen.requestsPerSecond(),
                seen.prefillTokensPerSecond(),
                seen.decodeTokensPerSecond(),
                seen.inputTokens(),
                seen.cachedShare(),
                OptionalDouble.of(Math.max(1, mean - error)),
                seen.contextTokens(),
                seen.contextDeviation(),
                seen.inputDeviation(),
                seen.outputDeviation(),
                seen.imbalance(),
                Optional.empty());
    }
}
