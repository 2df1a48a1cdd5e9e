/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How the planner acts on its own recommendations where a pool has a target.
 *
 * @param intervalSeconds time between two looks at the targets, 0.1 to 300 s
 * @param kubeconfig file that says how the API server is reached; empty for the pod's own account, or what kubectl would use
 * @param lease held by the one planner of several that acts; empty for none
 */
public record ActuateSettings(double intervalSeconds, Optional<Path> kubeconfig, Optional<Lease> lease) {
    static final double DEFAULT_INTERVAL_SECONDS = 5;

    public ActuateSettings {
        Range.check("intervalSeconds", intervalSeconds, 0.1, 300);
    }

    static ActuateSettings defaults() {
        return new ActuateSettings(DEFAULT_INTERVAL_SECONDS, Optional.empty(), Optional.empty());
    }

    /**
     * An object of kind Lease in group coordination.k8s.io.
     *
     * @param namespace where it is
     * @param name what it is called
     */
    public record Lease(String namespace, String name) {
        public Lease {
            if (namespace.isBlank()) {
                throw new IllegalArgumentException("lease.namespace is required with lease.name");
            }
        }
    }
}
