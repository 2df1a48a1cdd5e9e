/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.publish.ForwardPassMetrics;

/** Where one replica reports its steps. Called by the thread that advances the fleet. */
public interface StepChannel extends AutoCloseable {
    void publish(ForwardPassMetrics metrics);

    /** The replica is gone. */
    @Override
    void close();
}
