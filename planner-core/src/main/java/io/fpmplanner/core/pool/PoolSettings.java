/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.models.StepTimePrior;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Everything configured about one pool. Immutable.
 *
 * @param id label-safe identifier, {@code [a-z0-9]([-a-z0-9]*[a-z0-9])?}, at most 63 characters
 * @param model name of the served model, for people; may be empty
 * @param role what its workers compute
 * @param slo latency objective
 * @param limits engine limits per rank
 * @param scaling bounds and damping of the replica count
 * @param liveness when silence means stale or gone
 * @param prior step times to start from; empty to start cold
 * @param ranks how many ranks are kept
 */
public record PoolSettings(
        String id,
        String model,
        Role role,
        SloTarget slo,
        EngineLimits limits,
        ScalingSettings scaling,
        LivenessSettings liveness,
        Optional<StepTimePrior> prior,
        RankLimits ranks) {
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    public PoolSettings {
        if (!LABEL.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "id must be 1 to 63 of a-z, 0-9 and '-', starting and ending with a letter or digit, was '" + id
                            + "'");
        }
    }

    /** A pool that keeps as many ranks as usual. */
    public PoolSettings(
            String id,
            String model,
            Role role,
            SloTarget slo,
            EngineLimits limits,
            ScalingSettings scaling,
            LivenessSettings liveness,
            Optional<StepTimePrior> prior) {
        this(id, model, role, slo, limits, scaling, liveness, prior, RankLimits.defaults());
    }

    /** A pool that starts cold. */
    public PoolSettings(
            String id,
            String model,
            Role role,
            SloTarget slo,
            EngineLimits limits,
            ScalingSettings scaling,
            LivenessSettings liveness) {
        this(id, model, role, slo, limits, scaling, liveness, Optional.empty());
    }

    /** These settings with a prior. */
    public PoolSettings withPrior(StepTimePrior start) {
        return new PoolSettings(id, model, role, slo, limits, scaling, liveness, Optional.of(start), ranks);
    }

    /** These settings with other engine limits. */
    PoolSettings withLimits(EngineLimits newLimits) {
        return new PoolSettings(id, model, role, slo, newLimits, scaling, liveness, prior, ranks);
    }

    /** These settings with other bounds of the replica count. */
    public PoolSettings withScaling(ScalingSettings newScaling) {
        return new PoolSettings(id, model, role, slo, limits, newScaling, liveness, prior, ranks);
    }

    /** These settings with another idea of silence. */
    public PoolSettings withLiveness(LivenessSettings newLiveness) {
        return new PoolSettings(id, model, role, slo, limits, scaling, newLiveness, prior, ranks);
    }

    /** These settings with other limits on ranks. */
    public PoolSettings withRanks(RankLimits newRanks) {
        return new PoolSettings(id, model, role, slo, limits, scaling, liveness, prior, newRanks);
    }
}
