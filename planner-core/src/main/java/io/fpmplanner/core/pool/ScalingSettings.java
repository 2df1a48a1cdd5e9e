/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * Bounds and damping of the replica count of one pool.
 *
 * @param minReplicas never recommend fewer; &ge; 0
 * @param maxReplicas never recommend more; &ge; max(1, minReplicas)
 * @param targetUtilisation share of saturated capacity that a fleet is sized for; in (0, 1]
 * @param scaleDownStabilisationSeconds a smaller fleet must have sufficed for this long before it is recommended; &ge; 0
 * @param coldStartSeconds from order of a replica to its first frame, until that was measured; &ge; 0
 * @param objective what the size is chosen for
 * @param mode whether the number is meant to be acted upon
 * @param pace how fast the number may change
 * @param cost what one replica occupies
 */
public record ScalingSettings(
        int minReplicas,
        int maxReplicas,
        double targetUtilisation,
        double scaleDownStabilisationSeconds,
        double coldStartSeconds,
        ScalingObjective objective,
        ScalingMode mode,
        ScalingPace pace,
        ReplicaCost cost) {
    /** Settings for the objective {@link ScalingObjective#SLO}. */
    public ScalingSettings(
            int minReplicas,
            int maxReplicas,
            double targetUtilisation,
            double scaleDownStabilisationSeconds,
            double coldStartSeconds) {
        this(
                minReplicas,
                maxReplicas,
                targetUtilisation,
                scaleDownStabilisationSeconds,
                coldStartSeconds,
                ScalingObjective.SLO,
                ScalingMode.ACT,
                ScalingPace.free(),
                ReplicaCost.one());
    }

    public ScalingSettings {
        Checks.atLeast("minReplicas", minReplicas, 0);
        Checks.atLeast("maxReplicas", maxReplicas, Math.max(1, minReplicas));
        Checks.between("targetUtilisation", targetUtilisation, 0.05, 1.0);
        // First, since the other one is as long unless it is given.
        Checks.between("coldStartSeconds", coldStartSeconds, 0, 86_400);
        Checks.between("scaleDownStabilisationSeconds", scaleDownStabilisationSeconds, 0, 86_400);
    }

    /** These settings with another objective. */
    public ScalingSettings withObjective(ScalingObjective other) {
        return new ScalingSettings(
                minReplicas,
                maxReplicas,
                targetUtilisation,
                scaleDownStabilisationSeconds,
                coldStartSeconds,
                other,
                mode,
                pace,
                cost);
    }

    /** These settings with another mode. */
    public ScalingSettings withMode(ScalingMode other) {
        return new ScalingSettings(
                minReplicas,
                maxReplicas,
                targetUtilisation,
                scaleDownStabilisationSeconds,
                coldStartSeconds,
                objective,
                other,
                pace,
                cost);
    }

    /** These settings with another pace. */
    public ScalingSettings withPace(ScalingPace other) {
        return new ScalingSettings(
                minReplicas,
                maxReplicas,
                targetUtilisation,
                scaleDownStabilisationSeconds,
                coldStartSeconds,
                objective,
                mode,
                other,
                cost);
    }

    /** These settings with other costs of a replica. */
    public ScalingSettings withCost(ReplicaCost other) {
        return new ScalingSettings(
                minReplicas,
                maxReplicas,
                targetUtilisation,
                scaleDownStabilisationSeconds,
                coldStartSeconds,
                objective,
                mode,
                pace,
                other);
    }
}
