/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

/** Makes the autoscaler of one run. Threadsafe: runs go on in parallel. */
@FunctionalInterface
public interface PolicyFactory {
    /**
     * Makes an autoscaler.
     *
     * @param task what it is told
     * @param rehearsal the same run with other decisions, before it happens: only a clairvoyant may use it
     */
    Autoscaler create(ScalingTask task, Rehearsal rehearsal);
}
