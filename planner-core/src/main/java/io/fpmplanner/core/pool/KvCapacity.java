/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** How many tokens the KV cache of a rank holds: as configured, else as engines report, else as frames tell. */
final class KvCapacity {
    private final KvBook reports;
    private final KvLevel level = new KvLevel();

    KvCapacity(KvBook reports) {
        this.reports = reports;
    }

    /** Takes in a step while something waits for room in the cache. */
    void addBlocked(FpmFrame step) {
        level.add(step);
    }

    Quantity ofRank(EngineLimits limits) {
        OptionalLong configured = limits.kvCapacityTokens();
        OptionalLong reported = reports.capacityTokensPerRank();
        if (configured.isPresent()) {
            return Quantity.exact((double) configured.getAsLong(), Quantity.Origin.CONFIGURED);
        }
        return reported.isPresent()
                ? Quantity.exact((double) reported.getAsLong(), Quantity.Origin.REPORTED)
                : Quantity.inferred(level.tokens(), Double.NaN);
    }

    static Quantity ofRanks(Quantity each, int ranks) {
        return each.value().isEmpty() || ranks == 0
                ? Quantity.UNKNOWN
                : new Quantity(
                        OptionalDouble.of(each.value().getAsDouble() * ranks),
                        each.standardError().isPresent()
                                ? OptionalDouble.of(each.standardError().getAsDouble() * ranks)
                                : each.standardError(),
                        each.origin());
    }

    /** What is configured, and of the capacity, if it is not, what is reported. */
    PoolSettings into(PoolSettings settings) {
        OptionalLong reported = reports.capacityTokensPerRank();
        if (settings.limits().kvCapacityTokens().isPresent() || reported.isEmpty()) {
            return settings;
        }
        return settings.withLimits(settings.limits().withKvCapacity(reported.getAsLong()));
    }
}
