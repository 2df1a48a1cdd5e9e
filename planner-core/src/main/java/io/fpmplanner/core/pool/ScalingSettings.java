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
 */
public record ScalingSettings(
        int minReplicas,
        int maxReplicas,
        double targetUtilisation,
        double scaleDownStabilisationSeconds,
        double coldStartSeconds,
        ScalingObjective objective) {
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
                ScalingObjective.SLO);
    }

    public ScalingSettings {
        Checks.atLeast("minReplicas", minReplicas, 0);
        Checks.atLeast("maxReplicas", maxReplicas, Math.max(1, minReplicas));
        Checks.between("targetUtilisation", targetUtilisation, 0.05, 1.0);
        Checks.between("scaleDownStabilisationSeconds", scaleDownStabilisationSeconds, 0, 86_400);
        Checks.between("coldStartSeconds", coldStartSeconds, 0, 86_400);
    }
}
