/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * How fast the replica count of one pool may change, and how its orders are carried out.
 *
 * @param mostUp replicas that one growth may add; &ge; 1, {@link #UNLIMITED} for any number
 * @param mostDown replicas that one shrinking may take away; likewise
 * @param upCooldownSeconds time after a growth before the next one; &ge; 0
 * @param downCooldownSeconds time after any change before a shrinking; &ge; 0
 * @param drainSeconds how long a replica that was given up keeps its GPUs, to finish what it runs; &ge; 0
 * @param hpaTolerance relative change that whoever carries out the orders ignores; 0 to 0.9, 0 for none
 * @param hpaSteps what becomes of smaller changes
 */
public record ScalingPace(
        int mostUp,
        int mostDown,
        double upCooldownSeconds,
        double downCooldownSeconds,
        double drainSeconds,
        double hpaTolerance,
        HpaSteps hpaSteps) {
    /** Stands for no limit on a step. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private static final double DEFAULT_TOLERANCE = 0.1;

    public ScalingPace {
        Checks.atLeast("maxStepUp", mostUp, 1);
        Checks.atLeast("maxStepDown", mostDown, 1);
        Checks.between("scaleUpCooldownSeconds", upCooldownSeconds, 0, 86_400);
        Checks.between("scaleDownCooldownSeconds", downCooldownSeconds, 0, 86_400);
        Checks.between("drainSeconds", drainSeconds, 0, 86_400);
        Checks.between("hpaTolerance", hpaTolerance, 0, 0.9);
    }

    /** Steps of any size at any time, no draining, and an HPA's usual tolerance, which is said and not exceeded. */
    public static ScalingPace free() {
        return new ScalingPace(UNLIMITED, UNLIMITED, 0, 0, 0, DEFAULT_TOLERANCE, HpaSteps.SAY);
    }
}
